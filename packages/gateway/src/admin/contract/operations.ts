import type { Role } from '../../scope/role.ts'

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path below `/api/v1`. */
  readonly path: string
  /** The lowest role that can use the operation. Only sign-in is `public`. */
  readonly role: Role | 'public'
  readonly summary: string
  /** The success status; 200 by default. */
  readonly status?: 201
  /** Set if the request must name, in If-Match, the version that it changes. */
  readonly needsMatch?: true
  /** Set if the operation has no side effects, so that repeating it is harmless. */
  readonly changesNothing?: true
  /** Set if the answer is not a single JSON document. */
  readonly streams?: 'text/event-stream' | 'application/x-ndjson'
}

type Method = Operation['method']
type More = Pick<Operation, 'status' | 'needsMatch' | 'changesNothing' | 'streams'>

/** Creates a role's operations. PUT and DELETE must name the version that they change. */
function forRole(role: Operation['role']) {
  const make = <T extends More>(method: Method, path: string, summary: string, more: T): Operation & T => {
    return { method, path, role, summary, ...more }
  }
  return {
    get: <T extends More = object>(path: string, summary: string, more?: T) =>
      make('GET', path, summary, { ...more } as T),
    post: (path: string, summary: string, more: More = {}) => make('POST', path, summary, more),
    put: (path: string, summary: string) => make('PUT', path, summary, { needsMatch: true }),
    remove: (path: string, summary: string) => make('DELETE', path, summary, { needsMatch: true }),
  }
}

const anybody = forRole('public')
const viewer = forRole('viewer')
const approver = forRole('approver')
const operator = forRole('operator')
const admin = forRole('admin')

/** All operations: the only source for handlers, OpenAPI, client and tests. It is pure data, because the client runs in browsers. */
export const OPERATIONS = {
  signIn: anybody.post('/sign-in', 'Exchange a one-time code for a session cookie'),
  signOut: viewer.post('/sign-out', "Sign out: end the cookie's session"),
  me: viewer.get('/me', 'The person who is signed in'),
  welcome: viewer.get('/welcome', 'Progress of the set-up'),
  overview: viewer.get('/overview', 'Summary of calls, servers, approvals and alerts'),

  listApprovals: viewer.get('/approvals', 'Approvals, newest first'),
  getApproval: viewer.get('/approvals/{id}', 'One approval in full'),
  decideApproval: approver.post('/approvals/{id}/decision', 'Approve or deny a call'),
  listGrants: viewer.get('/grants', 'Lasting approvals, newest first'),
  revokeGrant: approver.post('/grants/{id}/revoke', 'End a lasting approval'),
  getPush: approver.get('/push', 'Public key with which a browser subscribes to approval notifications'),
  subscribePush: approver.post('/push/subscribe', 'Subscribe this browser to approval notifications'),
  unsubscribePush: approver.post('/push/unsubscribe', 'Unsubscribe this browser from approval notifications'),

  listTools: viewer.get('/tools', 'All tools with their effective hints'),
  overrideTools: operator.post('/tools/overrides', 'Set hints for many tools'),
  getTool: viewer.get('/tools/{server}/{name}', 'One tool with its history and evidence'),
  getToolVersion: viewer.get(
    '/tools/{server}/{name}/versions/{fingerprint}',
    'An earlier version of a definition',
  ),
  diffTool: viewer.get('/tools/{server}/{name}/diff', 'The changes between two versions'),
  setOverride: operator.put('/tools/{server}/{name}/override', 'Set the hints of a tool'),
  removeOverride: operator.remove('/tools/{server}/{name}/override', "Remove a tool's override"),
  reviewTool: operator.post('/tools/{server}/{name}/review', 'Approve or reject a version of a tool'),
  disableTool: operator.post('/tools/{server}/{name}/disable', 'Disable a tool'),
  enableTool: operator.post('/tools/{server}/{name}/enable', 'Enable a tool again'),

  listToolsets: viewer.get('/toolsets', 'All toolsets'),
  getToolset: viewer.get(
    '/toolsets/{name}',
    'One toolset: what its agents see, next to the reviewed definitions',
  ),
  addToolset: admin.post('/toolsets', 'Add a toolset to the config', { status: 201 }),
  updateToolset: admin.put('/toolsets/{name}', 'Change a toolset in the config'),
  removeToolset: admin.remove('/toolsets/{name}', 'Remove a toolset from the config'),

  listReview: viewer.get('/review', 'Definitions of all kinds that wait for review'),
  reviewMany: operator.post('/review', 'Approve or reject many definitions'),

  listSessions: viewer.get('/sessions', 'Sessions with the risk factors they have touched'),
  getSession: viewer.get('/sessions/{id}', 'One session with its calls'),
  resetSession: operator.post('/sessions/{id}/reset', "Clear a session's risk factors"),

  listActivity: viewer.get('/activity', 'Recorded calls, newest first'),
  exportActivity: viewer.get('/activity/export', 'Recorded calls as a download', {
    streams: 'application/x-ndjson',
  }),
  getChain: viewer.get('/activity/chain', 'Result of the last verification of the audit log'),
  verifyChain: operator.post('/activity/verify', 'Verify the audit log now', { changesNothing: true }),
  getActivity: viewer.get('/activity/{request}', 'One call in full'),

  listServers: viewer.get('/servers', 'All servers with their state'),
  listImportable: admin.get('/servers/importable', "Servers in the configs of this machine's MCP clients"),
  addServer: admin.post('/servers', 'Add a server to the config', { status: 201 }),
  testServer: admin.post('/servers/test', 'Start a server once and list its tools'),
  getServer: viewer.get('/servers/{name}', 'One server'),
  updateServer: admin.put('/servers/{name}', 'Change a server in the config'),
  removeServer: admin.remove('/servers/{name}', 'Remove a server from the config'),
  restartServer: admin.post('/servers/{name}/restart', 'Restart a server'),
  signInToServer: admin.post(
    '/servers/{name}/sign-in',
    'Start the OAuth sign-in to a server; returns the URL to open in a browser',
  ),
  trustServer: admin.put('/servers/{name}/trust', "Set a server's trust level"),

  listAgents: viewer.get('/agents', 'Tokens of agents and people, without secrets'),
  createAgent: admin.post('/agents', 'Create a token; it is shown only once', { status: 201 }),
  rotateAgent: admin.post(
    '/agents/{name}/rotate',
    "Replace a token's secret; the new one is shown only once",
  ),
  revokeAgent: admin.post('/agents/{name}/revoke', 'Revoke a token'),
  getReach: viewer.get('/agents/{name}/reach', 'Tools that a token can call, by variant'),

  getPolicies: viewer.get('/policies', 'Policy files, their rules, and guardrails'),
  checkPolicy: viewer.post('/policies/check', 'Check the text of a policy file', {
    changesNothing: true,
  }),
  tryPolicy: viewer.post('/policies/try', 'Verdict on a hypothetical call; nothing is called', {
    changesNothing: true,
  }),
  replayPolicies: operator.post('/policies/replay', 'Verdicts of other policies on recorded calls', {
    changesNothing: true,
  }),
  listSuggestions: viewer.get(
    '/suggestions',
    'Rules that would remove questions which people always approve',
  ),
  acceptSuggestion: operator.post('/suggestions/{id}/accept', 'Write a suggested rule to a policy file'),
  savePolicy: admin.put('/policies/{path}', 'Write a policy file'),

  searchTools: viewer.get('/search', 'What retrieve_tools returns to an agent, with explanations'),
  events: viewer.get('/events', 'Live event stream', { streams: 'text/event-stream' }),
  configProblems: viewer.get('/config/problems', 'Problems in the current config file'),
  doctor: viewer.get('/doctor', 'Problems found in the gateway, with fixes'),
  openapi: viewer.get('/openapi.json', 'This API as an OpenAPI 3.1 document'),
} satisfies Readonly<Record<string, Operation>>

export type OperationName = keyof typeof OPERATIONS

/** True if a request can carry an Idempotency-Key. A key belongs to a principal, and a sign-in request has none yet. */
export function takesKey({ method, role, changesNothing }: Operation): boolean {
  return method === 'POST' && role !== 'public' && changesNothing !== true
}
