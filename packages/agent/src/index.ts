export { AgentClient, type AutoRunnableOptions, connectAgent } from './agent-client.ts'
export type {
  AgentOptions,
  AgentRules,
  Elicitation,
  Era,
  GatewayServer,
  HttpServer,
  RetryOptions,
  ServerOptions,
  StdioServer,
} from './agent-options.ts'
export type { AuditEntry } from './call/audit-entry.ts'
export type { CallAllOptions, PlannedCall, Settled } from './call/call-all.ts'
export type { CallOptions, CallResult } from './call/call-runner.ts'
export type { Judgement } from './call/judge-call.ts'
export type { Answer, Question } from './call/question.ts'
export type { AgentTool, Trust } from './catalog/agent-tool.ts'
export type { Change } from './catalog/pins.ts'
export type { Task } from './connection/task.ts'
export { AGENT_ERRORS, AgentError, type AgentErrorCode, type ErrorFacts } from './errors.ts'
