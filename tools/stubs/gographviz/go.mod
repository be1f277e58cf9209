module github.com/awalterschulze/gographviz

go 1.26.0
