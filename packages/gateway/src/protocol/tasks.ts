import { isJsonObject, type Json, RPC, type RpcError } from './messages.ts'
import { META } from './modern.ts'

/** The protocol's extension for calls that outlive their requests. */
export const TASKS = 'io.modelcontextprotocol/tasks'

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

const STATUSES: ReadonlySet<unknown> = new Set<TaskStatus>([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
])

export function isTaskStatus(value: unknown): value is TaskStatus {
  return STATUSES.has(value)
}

/** True if a client said with this request that it knows tasks. What it said with earlier requests does not count. */
export function knowsTasks({ extensions }: Json): boolean {
  return isJsonObject(extensions) && isJsonObject(extensions[TASKS])
}

/** True if a server answered a call with a task instead of a result. */
export function isTask(result: Json | undefined): boolean {
  return result?.resultType === 'task'
}

/** Removes the statement that the client knows tasks, so that the server does not answer with one. */
export function withoutTasks(params: Json): Json {
  const meta = params._meta
  const capabilities = isJsonObject(meta) ? meta[META.clientCapabilities] : undefined
  if (!isJsonObject(meta) || !isJsonObject(capabilities) || !knowsTasks(capabilities)) return params
  const plain = withoutExtension(capabilities)
  return { ...params, _meta: { ...meta, [META.clientCapabilities]: plain } }
}

function withoutExtension({ extensions, ...rest }: Json): Json {
  const { [TASKS]: _tasks, ...others } = isJsonObject(extensions) ? extensions : {}
  return Object.keys(others).length === 0 ? rest : { ...rest, extensions: others }
}

/** Tells a client that it must say in the same request that it knows tasks. */
export const TASKS_NEEDED: RpcError = {
  code: RPC.missingCapability,
  message: `this request needs the client capability ${TASKS} under extensions`,
  data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
}

/** The answer for a task that does not exist, has expired, or belongs to another caller. */
export const UNKNOWN_TASK: RpcError = {
  code: RPC.invalidParams,
  message: 'there is no such task: it never existed, or it has expired',
}
