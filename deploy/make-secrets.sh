#!/bin/sh
# Makes what compose.yaml needs to keep secret, once: random tokens in deploy/secrets. What is there already stays.
# The venue's key is yours to bring: put it into deploy/secrets/mm_key. `sh deploy/make-secrets.sh pair` makes what
# compose.pair.yaml needs besides: the database's password and address, and the guard's token and certificate (openssl).
set -eu
cd "$(dirname "$0")"
# Other people of this machine do not get into the folder. The files themselves are readable, because each container
# reads them as a user of its own: the daemon as 1000, Prometheus as 65534, Grafana as 472, PostgreSQL as 999.
mkdir -p secrets
chmod 700 secrets
umask 022
# token NAME: a random one, unless there is one.
token() {
  if [ -s "secrets/$1" ]; then return; fi
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n' >"secrets/$1.new"
  mv "secrets/$1.new" "secrets/$1"
  echo "made deploy/secrets/$1"
}
for name in http_token http_read_token grafana_password; do token "$name"; done
if [ "${1:-}" = pair ]; then
  for name in postgres_password guard_token; do token "$name"; done
  if [ ! -s secrets/store_url ]; then
    printf 'postgres://mizani:%s@postgres/mizani\n' "$(cat secrets/postgres_password)" >secrets/store_url
    echo 'made deploy/secrets/store_url'
  fi
  if [ ! -s secrets/guard_cert ]; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj /CN=guard \
      -addext subjectAltName=DNS:guard -keyout secrets/guard_key -out secrets/guard_cert 2>/dev/null
    # openssl keeps a key to its user, and the guard is another one.
    chmod 644 secrets/guard_key
    echo 'made deploy/secrets/guard_cert and guard_key'
  fi
fi
if [ ! -s secrets/mm_key ]; then echo 'for your own position, put the key of the venue into deploy/secrets/mm_key'; fi
