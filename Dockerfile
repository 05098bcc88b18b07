# The image of a release: the program, its licences and an empty /tmp. Its context is what .ci/release/image makes of a
# release's folder. To have retry in an image of your own, copy it out of this one with COPY --from.
FROM scratch
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/ /
ENTRYPOINT ["/retry"]
