import { type Caller, nextRequestId } from '../../exchange/exchange.ts'
import type { Interests, Surface } from '../../exchange/surface.ts'
import {
  isJsonObject,
  type Json,
  type Notification,
  type Request,
  RPC,
  type RpcError,
} from '../../protocol/messages.ts'
import { META } from '../../protocol/modern.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import { knowsTasks, TASKS_NEEDED } from '../../protocol/tasks.ts'

const KIND_OF: Readonly<Record<string, keyof Omit<Interests, 'resources' | 'tasks'>>> = {
  'notifications/tools/list_changed': 'toolsListChanged',
  'notifications/prompts/list_changed': 'promptsListChanged',
  'notifications/resources/list_changed': 'resourcesListChanged',
}

interface ListenSink {
  send(text: string): void
  end(): void
}

export interface ListenArgs {
  readonly caller: Caller
  readonly request: Request
  readonly surface: Surface
  /** Opens the stream to the client. Called only if the subscription is accepted. */
  readonly open: () => ListenSink
}

/** The error if the subscription was refused, otherwise the functions that end it. */
export type ListenResult = { readonly error: RpcError } | { finish(): void; stop(): void }

/** Handles `subscriptions/listen`: sends a modern client the notifications to which it subscribed. */
export async function listen({ caller, request, surface, open }: ListenArgs): Promise<ListenResult> {
  const wanted = request.params?.notifications
  if (!isJsonObject(wanted))
    return { error: { code: RPC.invalidParams, message: 'subscriptions/listen needs `notifications`' } }
  const tasks = textsIn(wanted.taskIds)
  if (tasks.length > 0 && !knowsTasks(caller.envelope.capabilities)) return { error: TASKS_NEEDED }
  const able = await honour(wanted, caller, surface)
  // Permission is checked only for resources, because no other subscription reaches a server.
  const refusal =
    able.resources.length === 0
      ? undefined
      : await surface.admit({
          requestId: nextRequestId(),
          caller,
          method: request.method,
          params: request.params,
        })
  if (refusal !== undefined) return { error: refusal }
  const following = surface.watchResources(caller, able.resources)
  const tag = { [META.subscriptionId]: request.id }
  let sink: ListenSink | undefined
  const send = (notification: Notification): void => sink?.send(writeJson(tagged(notification, tag)))
  const tracking = tasks.length === 0 ? undefined : await surface.watchTasks(caller, tasks, send)
  const interests = { ...able, resources: following.uris, tasks: tracking?.ids ?? [] }
  sink = open()
  send({
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: toWire(interests) },
  })
  const finish = (): void => {
    sink?.send(writeJson({ jsonrpc: '2.0', id: request.id, result: { resultType: 'complete', _meta: tag } }))
    sink?.end()
  }
  if (Object.keys(toWire(interests)).length === 0) {
    finish()
    return { finish() {}, stop() {} }
  }
  const stopWatching = surface.watch(caller, notification => {
    if (isOfInterest(notification, interests)) send(notification)
  })
  const stop = (): void => {
    stopWatching()
    following.stop()
    tracking?.stop()
  }
  return { finish, stop }
}

function tagged(notification: Notification, tag: Json): Notification {
  const params = notification.params ?? {}
  const meta = isJsonObject(params._meta) ? params._meta : {}
  return { ...notification, params: { ...params, _meta: { ...meta, ...tag } } }
}

async function honour(wanted: Json, caller: Caller, surface: Surface): Promise<Interests> {
  const description = await surface.describe(caller)
  const capabilities = 'code' in description ? {} : description.capabilities
  const offers = (capability: string, feature: string): boolean => {
    const offered = capabilities[capability]
    return isJsonObject(offered) && offered[feature] === true
  }
  return {
    toolsListChanged: wanted.toolsListChanged === true && offers('tools', 'listChanged'),
    promptsListChanged: wanted.promptsListChanged === true && offers('prompts', 'listChanged'),
    resourcesListChanged: wanted.resourcesListChanged === true && offers('resources', 'listChanged'),
    resources: offers('resources', 'subscribe') ? textsIn(wanted.resourceSubscriptions) : [],
    tasks: [],
  }
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}

function toWire({ resources, tasks, ...flags }: Interests): Json {
  const honoured = Object.entries(flags).filter(([, isWanted]) => isWanted)
  return {
    ...Object.fromEntries(honoured),
    ...(resources.length === 0 ? {} : { resourceSubscriptions: resources }),
    ...(tasks.length === 0 ? {} : { taskIds: tasks }),
  }
}

function isOfInterest({ method, params }: Notification, interests: Interests): boolean {
  if (method === 'notifications/resources/updated')
    return interests.resources.some(uri => uri === params?.uri)
  const kind = KIND_OF[method]
  return kind !== undefined && interests[kind]
}
