#!/bin/sh
# Makes what compose.yaml needs to keep secret, once: random tokens in deploy/secrets. What is there already stays.
# The venue's key is yours to bring: put it into deploy/secrets/mm_key.
set -eu
cd "$(dirname "$0")"
# Other people of this machine do not get into the folder. The files themselves are readable, because each container
# reads them as a user of its own: the daemon as 1000, Prometheus as 65534, Grafana as 472.
mkdir -p secrets
chmod 700 secrets
umask 022
for name in http_token http_read_token grafana_password; do
  if [ -s "secrets/$name" ]; then continue; fi
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n' >"secrets/$name.new"
  mv "secrets/$name.new" "secrets/$name"
  echo "made deploy/secrets/$name"
done
if [ ! -s secrets/mm_key ]; then echo 'for the profile live, put the key of the venue into deploy/secrets/mm_key'; fi
