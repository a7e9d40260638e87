/** The messages and enums of `setplan.v1`. The comments of the `.proto` files define each message and field. @module */

export * from "./gen/setplan/v1/error_pb.js";
export * from "./gen/setplan/v1/forecast_pb.js";
export * from "./gen/setplan/v1/plan_pb.js";
export * from "./gen/setplan/v1/service_pb.js";
export * from "./gen/setplan/v1/snapshot_pb.js";
