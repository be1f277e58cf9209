module github.com/apache/thrift

go 1.26.0
