#!/bin/sh
# Several servers behind HAProxy, on a PostgreSQL that Patroni runs, all on one host: to try it, and for the tests
# (docs/scale.md). On machines of their own the same programs run with the same files, one kind on each.
#
#   apt-get install patroni etcd-server haproxy postgresql-17 postgresql-17-timescaledb   (Debian 13)
#   npm ci && npm run build
#   deploy/cluster/cluster.sh /var/tmp/cluster up          three nodes, three servers; then http://127.0.0.1:18000
#   deploy/cluster/cluster.sh /var/tmp/cluster start node 4    | start server 4 | stop node 4 | stop server 4 | kill node 1
#   deploy/cluster/cluster.sh /var/tmp/cluster down
#
# The directory holds data, logs and passwords. Everything listens on 127.0.0.1, from port BASE_PORT on. Root runs the
# database as RUN_AS, PATRONI, ETCD, HAPROXY, PG_BIN, NODE and COPPICE name programs elsewhere. As many as nine nodes and nine servers have a place.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
usage() { sed -n '2,14p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
mkdir -p "$1"
dir=$(cd "$1" && pwd)
# Others may pass through it, to files that are theirs: RUN_AS has those of the nodes.
chmod 711 "$dir"
umask 077
base=${BASE_PORT:-18000}
version=$(ls /usr/lib/postgresql 2>/dev/null | sort -n | tail -1)
PG_BIN=${PG_BIN:-/usr/lib/postgresql/$version/bin}
RUN_AS=${RUN_AS:-postgres}
export PG_BIN

secret() {
  [ -s "$dir/secret-$1" ] || od -An -N24 -tx1 /dev/urandom | tr -d ' \n' >"$dir/secret-$1"
  cat "$dir/secret-$1"
}

# The process of a name, if it runs; a number alone may be another program's by now.
running() {
  pid=$(cat "$dir/$1.pid" 2>/dev/null) || return 1
  grep -qF "CLUSTER_PART=$dir/$1" "/proc/$pid/environ" 2>/dev/null && echo "$pid"
}

# launch NAME command...: in the background, in a session of its own, with its output in NAME.log.
launch() {
  name=$1
  shift
  running "$name" >/dev/null && return
  CLUSTER_PART=$dir/$name setsid "$@" >>"$dir/$name.log" 2>&1 </dev/null &
  echo $! >"$dir/$name.pid"
}

end() {
  pid=$(running "$2") || return 0
  kill "-$1" "$pid"
  while running "$2" >/dev/null; do sleep 0.1; done
}

nodes() { for n in 1 2 3 4 5 6 7 8 9; do [ -e "$dir/node$n" ] && echo $n; done; true; }
hosts() { for n in $(nodes); do printf '%s127.0.0.1:%s' "${comma-}" $((base + 100 + n)); comma=,; done; unset comma; }

start_etcd() {
  launch etcd ${ETCD:-etcd} --name one --data-dir "$dir/etcd" --log-level warn \
    --listen-client-urls "http://127.0.0.1:$((base + 50))" --advertise-client-urls "http://127.0.0.1:$((base + 50))" \
    --listen-peer-urls "http://127.0.0.1:$((base + 51))" --initial-advertise-peer-urls "http://127.0.0.1:$((base + 51))" \
    --initial-cluster "one=http://127.0.0.1:$((base + 51))"
}

# A statement of the database that wants more memory than 512 MB fails (docs/operations.md#memory-of-statements).
start_node() {
  mkdir -p "$dir/node$1"
  drop=
  if [ "$(id -u)" = 0 ]; then
    chown "$RUN_AS:" "$dir/node$1"
    drop="setpriv --reuid=$RUN_AS --regid=$(id -g "$RUN_AS") --clear-groups"
  fi
  HOME=$dir/node$1 \
    COPPICE_PASSWORD=$(secret coppice) \
    PATRONI_NAME=node$1 \
    PATRONI_ETCD3_HOSTS=127.0.0.1:$((base + 50)) \
    PATRONI_RESTAPI_LISTEN=127.0.0.1:$((base + 200 + $1)) \
    PATRONI_RESTAPI_CONNECT_ADDRESS=127.0.0.1:$((base + 200 + $1)) \
    PATRONI_RESTAPI_USERNAME=patroni PATRONI_RESTAPI_PASSWORD=$(secret restapi) \
    PATRONI_POSTGRESQL_LISTEN=127.0.0.1:$((base + 100 + $1)) \
    PATRONI_POSTGRESQL_CONNECT_ADDRESS=127.0.0.1:$((base + 100 + $1)) \
    PATRONI_POSTGRESQL_DATA_DIR=$dir/node$1/data \
    PATRONI_POSTGRESQL_BIN_DIR=$PG_BIN \
    PATRONI_POSTGRESQL_PGPASS=$dir/node$1/pgpass \
    PATRONI_SUPERUSER_USERNAME=postgres PATRONI_SUPERUSER_PASSWORD=$(secret superuser) \
    PATRONI_REPLICATION_USERNAME=replicator PATRONI_REPLICATION_PASSWORD=$(secret replicator) \
    launch "node$1-patroni" $drop prlimit --data=536870912 ${PATRONI:-patroni} "$dir/patroni.yml"
}

start_server() {
  mkdir -p "$dir/server$1"
  HOST=127.0.0.1 PORT=$((base + $1)) DATA_DIR=$dir/server$1 MASTER_KEY=$(secret master) \
    DATABASE_URL=postgres://coppice:$(secret coppice)@$(hosts)/coppice \
    DATABASE_READ_URL=postgres://coppice:$(secret coppice)@$(hosts)/coppice \
    BASE_URL=${BASE_URL:-http://127.0.0.1:$base} TRUSTED_PROXIES=127.0.0.1 \
    MALLOC_MMAP_THRESHOLD_=262144 MALLOC_TRIM_THRESHOLD_=2097152 launch "server$1" ${NODE:-node} "${COPPICE:-$here/../../dist/main.js}"
}

start_haproxy() {
  sed -e "s/@PORT@/$base/" -e '/@SERVERS@/d' "$here/haproxy.cfg" >"$dir/haproxy.cfg"
  for n in 1 2 3 4 5 6 7 8 9; do echo "    server server$n 127.0.0.1:$((base + n))"; done >>"$dir/haproxy.cfg"
  launch haproxy ${HAPROXY:-haproxy} -db -f "$dir/haproxy.cfg"
}

kill_postgres() { kill -KILL "$(head -n 1 "$dir/node$1/data/postmaster.pid")"; }

# A node that is lost as its machine would be: Patroni and PostgreSQL at once.
kill_node() {
  end KILL "node$1-patroni"
  kill_postgres "$1"
}

# wait_for URL...: until one of them answers 200.
wait_for() {
  for try in $(seq 300); do
    ${NODE:-node} -e '
      const ask = (url) => fetch(url).then((reply) => reply.ok || Promise.reject())
      Promise.any(process.argv.slice(1).map(ask)).then(() => process.exit(0), () => process.exit(1))' "$@" && return
    sleep 0.5
  done
  echo "no answer of $*; the logs are in $dir" >&2
  exit 1
}

# The addresses by which the given nodes say that they have a role.
asking() {
  role=$1
  shift
  for n in "$@"; do echo "http://127.0.0.1:$((base + 200 + n))/$role"; done
}

case $2 in
  up)
    sed "s|^bootstrap:|bootstrap:\n  post_bootstrap: $here/make-database.sh|" "$here/patroni.yml" >"$dir/patroni.yml"
    chmod 644 "$dir/patroni.yml"
    start_etcd
    # The first makes the database, the others copy it. After `down` any node may have been the last primary, and only that
    # one, or its standby, can be the next: all are started.
    for n in $(nodes); do start_node $n; done
    start_node 1
    wait_for $(asking primary $(nodes))
    for n in 2 3; do start_node $n; done
    for n in $(nodes); do wait_for $(asking primary $n) $(asking replica $n); done
    # The first one makes the schema, and the first secrets, which its log shows.
    for n in 1 2 3; do
      start_server $n
      wait_for "http://127.0.0.1:$((base + n))/readyz"
    done
    start_haproxy
    wait_for "http://127.0.0.1:$base/readyz"
    echo "http://127.0.0.1:$base"
    ;;
  start | stop | kill)
    case "$2 $3" in
      'start node') start_node "$4" ;;
      'start server') start_server "$4" ;;
      'start haproxy') start_haproxy ;;
      'stop node') end TERM "node$4-patroni" ;;
      'stop server') end TERM "server$4" ;;
      'stop haproxy') end USR1 haproxy ;;
      'kill node') kill_node "$4" ;;
      'kill postgres') kill_postgres "$4" ;;
      'kill server') end KILL "server$4" ;;
      *) usage ;;
    esac
    ;;
  hosts) hosts ;;
  down)
    end TERM haproxy
    for n in 1 2 3 4 5 6 7 8 9; do end TERM "server$n"; done
    for n in $(nodes); do end TERM "node$n-patroni"; done
    end TERM etcd
    ;;
  *) usage ;;
esac
