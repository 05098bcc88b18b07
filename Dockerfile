# The image of a release: the program, its licences and an empty /tmp. .ci/release/image makes the context from the release's
# directory. To include retry in an image of your own, copy it from this one with COPY --from.
FROM scratch
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/ /
ENTRYPOINT ["/retry"]
