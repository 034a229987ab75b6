# Proofgate in a container: one executable, one volume, no shell.
#
#   docker build -t proofgate .
#   docker run --read-only --tmpfs /tmp:exec --cap-drop ALL --security-opt no-new-privileges \
#     -p 127.0.0.1:8787:8787 -v proofgate:/data proofgate
#
# src/packaging/compose.yaml says the same for docker compose.
#
# Settings: -e PROOFGATE_BASE_URL=https://proofs.example.com and so on, or a file: -v ./proofgate.toml:/proofgate.toml:ro

FROM oven/bun:1.4.4 AS build
WORKDIR /build
# For the addon that recovers signers. Without them the build takes an older one that is prebuilt.
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev libsecp256k1-dev
COPY package.json bun.lock package-lock.json ./
# Without the packages of the tests, and without the install scripts of any package.
RUN bun install --frozen-lockfile --production --omit optional --ignore-scripts
COPY tsconfig.json ./
COPY migrations migrations
COPY src src
RUN bun src/build/build.ts && mkdir /data

# The C library, and libstdc++ for the prebuilt addon that recovers signers, should the build have made none. No shell,
# no package manager; its user 65532 is nobody special.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /build/dist/proofgate /proofgate
COPY --from=build /build/dist/THIRD-PARTY-NOTICES.txt /THIRD-PARTY-NOTICES.txt
COPY LICENSE /LICENSE
# An empty folder gives a new volume its owner.
COPY --from=build --chown=65532:65532 /data /data
# In a container every address is the one that is published; outside it is published by -p only.
ENV PROOFGATE_HOST=0.0.0.0 \
    PROOFGATE_PORT=8787 \
    PROOFGATE_DATA=/data
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 CMD ["/proofgate", "healthcheck"]
ENTRYPOINT ["/proofgate"]
CMD ["serve"]
