# syntax=docker/dockerfile:1

# What the service is built with.
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.client.json ./
COPY src src
COPY portal portal
COPY contracts contracts
COPY scripts/service.vite.config.ts scripts/write-sbom.ts scripts/
RUN npm run build:service && npm run build:sbom --silent >dist/assay.cdx.json && npm prune --omit=dev --no-audit --no-fund
# What runs reads no types, no maps of others' code and no compiler: half of what was installed. Licences stay.
RUN rm -rf node_modules/typescript node_modules/@typescript \
  && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete

# What it runs with: no compiler, no sources, no package manager in use, and nothing that it may write to but /data.
FROM node:20-bookworm-slim
# Two arenas of the C library are enough for these threads, and hold a third less memory (docs/solana.md).
ENV NODE_ENV=production ASSAY_DATA_DIR=/data MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# Chains that ASSAY_CHAINS may name.
COPY deploy/chains deploy/chains
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/health').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# By the maps beside the code the lines of a logged error are those of the repository.
# Node itself is the first process and takes SIGTERM; docker run --init reaps what else there might be.
# V8 collects and compiles on four threads of its own, which take from the service what they give, and lets heaps grow to four times of what lives in them (docs/decisions/engine.md).
CMD ["node", "--v8-pool-size=1", "--max-semi-space-size=4", "--heap-growing-percent=50", "dist/main.js"]
