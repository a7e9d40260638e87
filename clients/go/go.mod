module github.com/setplan/setplan/clients/go

go 1.26.0

require (
	github.com/setplan/setplan/proto/setplan v0.1.0
	google.golang.org/genproto/googleapis/rpc v0.0.0-20261110000943-09e21b237f2c
	google.golang.org/grpc v1.85.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/planetscale/vtprotobuf v0.6.1-0.20240319094008-0393e58bdf10 // indirect
	golang.org/x/net v0.60.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/text v0.42.0 // indirect
)

// Released with this module, from the same commit.
replace github.com/setplan/setplan/proto/setplan => ../../proto/setplan
