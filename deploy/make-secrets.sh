#!/bin/sh
# Makes what compose.yaml needs to keep secret, once: random tokens in deploy/secrets. What is there already stays.
# The venue's key is yours to bring: put it into deploy/secrets/mm_key. `sh deploy/make-secrets.sh pair` makes what
# compose.pair.yaml needs besides: the database's password and address, the guard's token, and a certificate each for guard and
# database (openssl).
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
  store_url="postgres://mizani:$(cat secrets/postgres_password)@postgres/mizani"
  # Without TLS as version 0.2.0 made it, which the daemons refuse.
  if [ ! -s secrets/store_url ] || [ "$(cat secrets/store_url)" = "$store_url" ]; then
    printf '%s?sslmode=verify-full&sslrootcert=/run/secrets/postgres_cert\n' "$store_url" >secrets/store_url
    echo 'made deploy/secrets/store_url'
  fi
  # Each is its own authority, and who connects trusts that one alone.
  for name in guard postgres; do
    if [ -s "secrets/${name}_cert" ]; then continue; fi
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=$name" \
      -addext "subjectAltName=DNS:$name" -keyout "secrets/${name}_key" -out "secrets/${name}_cert" 2>/dev/null
    # openssl keeps a key to its user, and who uses it is another one.
    chmod 644 "secrets/${name}_key"
    echo "made deploy/secrets/${name}_cert and ${name}_key"
  done
fi
if [ ! -s secrets/mm_key ]; then echo 'for your own position, put the key of the venue into deploy/secrets/mm_key'; fi
