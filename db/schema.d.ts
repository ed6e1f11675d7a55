// Generated from the migrations by `node platform/db/generate-schema.ts`. Do not edit.

export type Database = {}
