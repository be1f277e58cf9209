module github.com/gogo/protobuf

go 1.26.0
