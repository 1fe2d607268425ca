export type { Approval, ApprovalStatus, Approvers, Decision } from './approval/approval.ts'
export { ConflictError } from './errors/conflict-error.ts'
export { DefinitionError } from './errors/definition-error.ts'
export type { ErrorCode } from './errors/error-code.ts'
export { ForbiddenError } from './errors/forbidden-error.ts'
export { InvalidInputError } from './errors/invalid-input-error.ts'
export { LeaseLostError } from './errors/lease-lost-error.ts'
export { NotFoundError } from './errors/not-found-error.ts'
export { SetupError } from './errors/setup-error.ts'
export { StoreError } from './errors/store-error.ts'
export { ToolError } from './errors/tool-error.ts'
export type { Policy, PolicyContext, Verdict } from './gate/policy.ts'
export type { ApiCall, CallPayload, CallStatus, StoredCall, ToolCallRecord } from './ledger/call-record.ts'
export { callDigest, canonicalJson, saltedDigest } from './ledger/digest.ts'
export { entryOf } from './ledger/entry-of.ts'
export type { LedgerEntry, LedgerEvent, Seal } from './ledger/ledger-entry.ts'
export type {
  AuthorizeContext,
  Pack,
  PackDefinition,
  PackPhrases,
  RoleGrant,
  ServiceContext,
} from './pack/define-pack.ts'
export { definePack } from './pack/define-pack.ts'
export type { Principal, Scope } from './principal/principal.ts'
export { asAgent } from './principal/principal.ts'
export { createMemoryStore } from './store/memory-store.ts'
export type * from './store/run-store.ts'
export type * from './store/store.ts'
export type { ServiceTypes, ToolDefaults, ToolDefinition } from './tool/define-tool.ts'
export { defineTool, toolFactory } from './tool/define-tool.ts'
export type * from './tool/tool.ts'
export type { Source, ToolAsking, ToolFailure, ToolResult, ToolSuccess } from './tool/tool-result.ts'
export { isAsking } from './tool/tool-result.ts'
