import type { Role } from '../../scope/role.ts'

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api/v1`. */
  readonly path: string
  /** The least role that is needed. Only signing in has none. */
  readonly role: Role | 'public'
  readonly summary: string
  /** Of success; 200 unless said otherwise. */
  readonly status?: 201
  /** The request says with If-Match which version it changes. */
  readonly needsMatch?: true
  /** It only answers, so that doing it twice is doing it once. */
  readonly changesNothing?: true
  /** The answer is not one JSON document. */
  readonly streams?: 'text/event-stream' | 'application/x-ndjson'
}

type Method = Operation['method']
type More = Pick<Operation, 'status' | 'needsMatch' | 'changesNothing' | 'streams'>

/** What somebody may do who has a role. Whatever is put or removed is something that they have seen. */
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

/** Handlers, OpenAPI, client and tests all come from here. Nothing but data: the client runs in browsers. */
export const OPERATIONS = {
  signIn: anybody.post('/sign-in', 'Exchange a one-time code for a session cookie'),
  signOut: viewer.post('/sign-out', 'End the session of the cookie'),
  me: viewer.get('/me', 'Who is signed in'),
  welcome: viewer.get('/welcome', 'How far the set-up has come'),
  overview: viewer.get('/overview', 'What is going on, at a glance'),

  listApprovals: viewer.get('/approvals', 'Questions to people, newest first'),
  getApproval: viewer.get('/approvals/{id}', 'One question'),
  decideApproval: approver.post('/approvals/{id}/decision', 'Answer a question'),

  listTools: viewer.get('/tools', 'All tools with their effective hints'),
  overrideTools: operator.post('/tools/overrides', 'Set hints of many tools'),
  getTool: viewer.get('/tools/{server}/{name}', 'One tool with its history and evidence'),
  getToolVersion: viewer.get('/tools/{server}/{name}/versions/{fingerprint}', 'A definition as it once was'),
  diffTool: viewer.get('/tools/{server}/{name}/diff', 'What changed between two versions'),
  setOverride: operator.put('/tools/{server}/{name}/override', 'Set the hints of a tool'),
  removeOverride: operator.remove(
    '/tools/{server}/{name}/override',
    'Leave the hints of a tool to its server again',
  ),
  reviewTool: operator.post(
    '/tools/{server}/{name}/review',
    'Approve or reject the version of a tool that was seen',
  ),
  disableTool: operator.post('/tools/{server}/{name}/disable', 'Switch a tool off'),
  enableTool: operator.post('/tools/{server}/{name}/enable', 'Switch a tool on again'),

  listReview: viewer.get('/review', 'What waits for review, of every kind'),
  reviewMany: operator.post('/review', 'Approve or reject many definitions'),

  listSessions: viewer.get('/sessions', 'Sessions and what they have touched'),
  getSession: viewer.get('/sessions/{id}', 'One session with its calls'),
  resetSession: operator.post('/sessions/{id}/reset', 'Forget what a session has touched'),

  listActivity: viewer.get('/activity', 'Recorded calls, newest first'),
  exportActivity: viewer.get('/activity/export', 'Recorded calls as a download', {
    streams: 'application/x-ndjson',
  }),
  getChain: viewer.get('/activity/chain', 'What the last verification of the log found'),
  verifyChain: operator.post('/activity/verify', 'Verify the log now', { changesNothing: true }),
  getActivity: viewer.get('/activity/{request}', 'One call in full'),

  listServers: viewer.get('/servers', 'All servers and how they are'),
  listImportable: admin.get('/servers/importable', 'Servers in the configs of clients on this machine'),
  addServer: admin.post('/servers', 'Write a server into the config', { status: 201 }),
  testServer: admin.post('/servers/test', 'Start a server once and say what it has'),
  getServer: viewer.get('/servers/{name}', 'One server'),
  updateServer: admin.put('/servers/{name}', 'Change a server in the config'),
  removeServer: admin.remove('/servers/{name}', 'Take a server out of the config'),
  restartServer: admin.post('/servers/{name}/restart', 'Stop a server and start it anew'),
  signInToServer: admin.post(
    '/servers/{name}/sign-in',
    'Where to send a browser to sign in to a server that wants OAuth',
  ),
  trustServer: admin.put('/servers/{name}/trust', 'Say how far a server is trusted'),

  listAgents: viewer.get('/agents', 'Tokens of agents and people, without secrets'),
  createAgent: admin.post('/agents', 'Make a token; it is shown once', { status: 201 }),
  rotateAgent: admin.post('/agents/{name}/rotate', 'A new secret for a token; it is shown once'),
  revokeAgent: admin.post('/agents/{name}/revoke', 'End a token'),
  getReach: viewer.get('/agents/{name}/reach', 'What a token could do: its tools by variant'),

  getPolicies: viewer.get('/policies', 'Policy files, their rules, and guardrails'),
  checkPolicy: viewer.post('/policies/check', 'What is wrong with the text of a policy file', {
    changesNothing: true,
  }),
  tryPolicy: viewer.post('/policies/try', 'The verdict on a call that nobody makes', {
    changesNothing: true,
  }),
  replayPolicies: operator.post('/policies/replay', 'What policies would have done to recorded calls', {
    changesNothing: true,
  }),
  savePolicy: admin.put('/policies/{path}', 'Write a policy file'),

  searchTools: viewer.get('/search', 'What retrieve_tools answers to an agent, explained'),
  events: viewer.get('/events', 'What happens, as it happens', { streams: 'text/event-stream' }),
  configProblems: viewer.get('/config/problems', 'What is wrong with the config file as it is now'),
  doctor: viewer.get('/doctor', 'What is wrong, and how to fix it'),
  openapi: viewer.get('/openapi.json', 'This API as an OpenAPI 3.1 document'),
} satisfies Readonly<Record<string, Operation>>

export type OperationName = keyof typeof OPERATIONS

/** Whether a request may carry an Idempotency-Key. Who is not known yet has nothing that could be told them again. */
export function takesKey({ method, role, changesNothing }: Operation): boolean {
  return method === 'POST' && role !== 'public' && changesNothing !== true
}
