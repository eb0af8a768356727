# The daemon as one bundle on a slim Node: no npm, no node_modules, no source in the image that runs.
#
#   docker build -t mizani .
#   docker run --read-only --cap-drop ALL --security-opt no-new-privileges \
#     -v ./config:/config:ro -v mizani-data:/app/data -e MIZANI_API_KEY -p 127.0.0.1:9464:9464 mizani
#
# In the configuration: http.host 0.0.0.0 (and an http.token, which reads from outside need), and
# store.path below /app/data, the only place that is written to. SIGTERM goes straight to the daemon, which
# leaves the position as quote.onExit says; give it the 10 seconds that docker stop gives.

# Any image that has Node 24 as `node`; the tag or digest that you trust.
ARG BASE=node:24-slim

FROM ${BASE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY config ./config
COPY scripts ./scripts
COPY src ./src
COPY strategies ./strategies
RUN node scripts/build.mjs --out /build/dist

# The volume's first content, so that it belongs to whoever runs the daemon.
RUN mkdir /build/data && chown 1000:1000 /build/data

FROM ${BASE}
# glibc gives every thread an arena of its own otherwise, and V8 a nursery of 16 MB: some 10 MB for nothing.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 NODE_OPTIONS=--max-semi-space-size=2
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

# Exec form: no shell between the signal and the daemon.
ENTRYPOINT ["node", "/app/dist/mizani.js"]
CMD ["run", "--config", "/config/live.yaml"]
