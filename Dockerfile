# The daemon as one bundle on a bare Node: no npm, no source, no shell in the image that runs. What is
# in it is listed in /app/dist/sbom.cdx.json, and the build prints the digest of the bundle, which is the same again for the same
# commit.
#
#   docker build -t mizani .
#   docker run --read-only --cap-drop ALL --security-opt no-new-privileges \
#     -v ./config:/config:ro -v mizani-data:/app/data -e MIZANI_API_KEY -p 127.0.0.1:9464:9464 mizani
#
# compose.yaml and deploy/kubernetes run it with everything around it; docs/containers.md explains both.
#
# In the configuration: http.host 0.0.0.0 (and an http.token, which reads from outside need), and store.path below
# /app/data, the only place that is written to. SIGTERM goes straight to the daemon, which leaves the position as
# quote.onExit says; give it the 10 seconds that docker stop gives.

# Where it is built, and the Node that runs it: any image with Node 24 at /usr/local/bin/node, npm, a shell, and either
# ssh-keygen and openssl or Debian's apt-get, which installs them.
# By digest, so that one commit is one image: `docker buildx imagetools inspect node:24.21.0-slim` shows the present one.
ARG BASE=node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
# What it runs on: any image with glibc and libstdc++. This one has those, certificates, time zones and nothing else.
# It is why the whole is some 185 MB, of which Node is 127 and the programs below are 8: on node:24-slim it would be 270. The digest stays while
# Debian's security fixes move the tag: renew it with each release, or give another one.
ARG RUNTIME_BASE=gcr.io/distroless/cc-debian13:nonroot@sha256:e792ab3d241a468a4fd7519ddbbebe66b49b5f365771716ea688ad40b6c6f1c2

FROM ${BASE} AS build
RUN (command -v ssh-keygen && command -v openssl) || \
  (apt-get update && apt-get install --yes --no-install-recommends openssh-client openssl)
# What signs and verifies closes, with its libraries; those of glibc are the base's. In /usr/lib the loader looks last, so that
# a library of the base comes first. ssh-keygen needs a name for the user that runs it.
RUN mkdir -p /programs/usr/bin /programs/usr/lib /programs/etc && \
  for program in ssh-keygen openssl; do \
    path=$(command -v "$program") && cp "$path" /programs/usr/bin/ && \
    LD_TRACE_LOADED_OBJECTS=1 "$path" | while read -r name _ library _; do \
      case $name in \
        libc.so.* | libm.so.* | libdl.so.* | librt.so.* | libpthread.so.* | libresolv.so.*) ;; \
        lib*) cp "$library" /programs/usr/lib/ || exit 1 ;; \
      esac; \
    done || exit 1; \
  done && \
  printf '%s\n' root:x:0:0::/:/sbin/nologin nonroot:x:65532:65532::/:/sbin/nologin mizani:x:1000:1000::/app/data:/sbin/nologin \
    >/programs/etc/passwd
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY config ./config
COPY docs ./docs
COPY scripts ./scripts
COPY src ./src
COPY strategies ./strategies
RUN node scripts/build.mjs --no-maps --out /build/dist

# The volume's first content, so that it belongs to whoever runs the daemon.
RUN mkdir /build/data && chown 1000:1000 /build/data

FROM ${RUNTIME_BASE} AS runtime
# glibc gives every thread an arena of its own otherwise, and V8 a nursery of 16 MB: some 10 MB for nothing. Both
# thresholds stop glibc from raising them with every large block that it frees, which leaves holes in its heap.
# SQLite would put what it sorts outside of memory into /var/tmp, which a read-only root does not have.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072 NODE_OPTIONS=--max-semi-space-size=2 SQLITE_TMPDIR=/app/data
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /programs /
WORKDIR /app
COPY LICENSE ./
COPY --from=build /build/dist ./dist
COPY --from=build --chown=1000:1000 /build/data ./data
VOLUME /app/data

# By number, because a base need not have a user of that name.
USER 1000:1000
EXPOSE 9464
STOPSIGNAL SIGTERM

# Alive, not ready: a position that waits for the venue must not be restarted for it. Another http.port: say
# it in MIZANI_HTTP_PORT too.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.MIZANI_HTTP_PORT ?? 9464) + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# Exec form: no shell between the signal and the daemon. SIGUSR1 would open Node's debugger.
ENTRYPOINT ["node", "--disable-sigusr1", "/app/dist/mizani.js"]
CMD ["run", "--config", "/config/live.yaml"]
