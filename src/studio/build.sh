#!/bin/sh
# Builds the studio's pages, unless nothing has changed since: a server that is started again need not wait for it.
built=dist/web/index.html
if [ -f $built ] && [ -z "$(find src/studio src/client package-lock.json -newer $built -print -quit)" ]; then exit 0; fi
exec vite build --config src/studio/vite.config.ts
