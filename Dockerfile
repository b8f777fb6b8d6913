# Two stages: the first has the compiler, the second only the program. The database is another container
# (docker-compose.yml); without DATABASE_URL the server would bring its own, which an image has no use for.
FROM node:22-bookworm-slim AS build
WORKDIR /coppice
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json tsconfig.client.json ./
COPY src src
COPY grammar grammar
RUN npm run build && npm prune --omit=dev

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data MALLOC_MMAP_THRESHOLD_=262144 MALLOC_TRIM_THRESHOLD_=2097152
WORKDIR /coppice
COPY --from=build /coppice/node_modules node_modules
COPY --from=build /coppice/dist dist
COPY package.json ./
COPY bin bin
COPY db db
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
