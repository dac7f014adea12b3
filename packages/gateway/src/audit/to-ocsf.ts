import type { AuditCall } from './view-call.ts'

const VERSION = '1.6.0'
const CATEGORY = 6
const CLASS = 6003

const ACTIVITIES = new Map([
  ['read', { id: 2, name: 'Read' }],
  ['write', { id: 3, name: 'Update' }],
  ['destructive', { id: 4, name: 'Delete' }],
])

const SEVERITIES = {
  info: { id: 1, name: 'Informational' },
  notice: { id: 2, name: 'Low' },
  warning: { id: 3, name: 'Medium' },
} as const

const STATUSES = new Map([
  ['answered', { id: 1, name: 'Success' }],
  ['open', { id: 0, name: 'Unknown' }],
  ['unknown', { id: 0, name: 'Unknown' }],
  ['asked', { id: 99, name: 'Asked' }],
  ['cancelled', { id: 99, name: 'Cancelled' }],
])
const FAILURE = { id: 2, name: 'Failure' }

/**
 * Converts a call to an API Activity event of the Open Cybersecurity Schema Framework (OCSF). Fields that OCSF does not
 * define are under `unmapped`.
 */
export function toOcsf(call: AuditCall, productVersion: string): object {
  const activity = ACTIVITIES.get(call.variant ?? '') ?? { id: 0, name: 'Unknown' }
  const severity = SEVERITIES[call.severity]
  const status = STATUSES.get(call.outcome) ?? FAILURE
  const time = Date.parse(call.time)
  return {
    activity_id: activity.id,
    activity_name: activity.name,
    category_uid: CATEGORY,
    category_name: 'Application Activity',
    class_uid: CLASS,
    class_name: 'API Activity',
    type_uid: CLASS * 100 + activity.id,
    type_name: `API Activity: ${activity.name}`,
    severity_id: severity.id,
    severity: severity.name,
    time,
    ...(call.repeats === undefined ? {} : { count: call.repeats }),
    ...(call.ms === undefined
      ? {}
      : { start_time: time, end_time: Math.round(time + call.ms), duration: Math.round(call.ms) }),
    status_id: status.id,
    status: status.name,
    ...(call.code === undefined ? {} : { status_code: call.code }),
    ...(call.detail === undefined ? {} : { status_detail: call.detail }),
    message: call.action,
    metadata: {
      version: VERSION,
      product: { name: 'Hintgate', vendor_name: 'Hintgate', version: productVersion },
      uid: call.request,
    },
    actor: actorOf(call),
    api: {
      operation: call.tool,
      service: { name: call.server },
      request: { uid: call.request },
      ...(call.code === undefined ? {} : { response: { error: call.code, error_message: call.detail } }),
    },
    src_endpoint: { name: call.door ?? 'unknown' },
    unmapped: unmapped(call),
  }
}

function actorOf({ agent, session }: AuditCall): object {
  const [kind = '', ...name] = agent.split(':')
  const type = kind === 'person' ? { type_id: 1, type: 'User' } : { type_id: 99, type: 'Agent' }
  return {
    user: { uid: agent, name: name.join(':') || agent, ...type },
    ...(session === undefined ? {} : { session: { uid: session } }),
  }
}

function unmapped(call: AuditCall): object {
  const { verdict, outcome, variant, reasons, approval, attempts, intent, hints, fingerprint } = call
  const { origin, approver, findings, args, argsBytes, resultBytes, rows } = call
  return {
    ...{ verdict, outcome, variant, reasons, approval, attempts, intent, hints, fingerprint },
    ...{ origin, approver, findings, args, argsBytes, resultBytes, rows },
  }
}
