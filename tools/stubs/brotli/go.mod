module github.com/andybalholm/brotli

go 1.26.0

require github.com/dsnet/compress v0.0.1
