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

/**
 * Every operation of the admin API, once. Handlers, the OpenAPI document, the client and the tests of who may do what
 * all come from here. Nothing but data: the client runs in browsers.
 */
export const OPERATIONS = {
  signIn: {
    method: 'POST',
    path: '/sign-in',
    role: 'public',
    summary: 'Exchange a one-time code for a session cookie',
  },
  signOut: { method: 'POST', path: '/sign-out', role: 'viewer', summary: 'End the session of the cookie' },
  me: { method: 'GET', path: '/me', role: 'viewer', summary: 'Who is signed in' },
  welcome: { method: 'GET', path: '/welcome', role: 'viewer', summary: 'How far the set-up has come' },
  overview: { method: 'GET', path: '/overview', role: 'viewer', summary: 'What is going on, at a glance' },

  listApprovals: {
    method: 'GET',
    path: '/approvals',
    role: 'viewer',
    summary: 'Questions to people, newest first',
  },
  getApproval: { method: 'GET', path: '/approvals/{id}', role: 'viewer', summary: 'One question' },
  decideApproval: {
    method: 'POST',
    path: '/approvals/{id}/decision',
    role: 'approver',
    summary: 'Answer a question',
  },

  listTools: {
    method: 'GET',
    path: '/tools',
    role: 'viewer',
    summary: 'All tools with their effective hints',
  },
  overrideTools: {
    method: 'POST',
    path: '/tools/overrides',
    role: 'operator',
    summary: 'Set hints of many tools',
  },
  getTool: {
    method: 'GET',
    path: '/tools/{server}/{name}',
    role: 'viewer',
    summary: 'One tool with its history and evidence',
  },
  getToolVersion: {
    method: 'GET',
    path: '/tools/{server}/{name}/versions/{fingerprint}',
    role: 'viewer',
    summary: 'A definition as it once was',
  },
  diffTool: {
    method: 'GET',
    path: '/tools/{server}/{name}/diff',
    role: 'viewer',
    summary: 'What changed between two versions',
  },
  setOverride: {
    method: 'PUT',
    path: '/tools/{server}/{name}/override',
    role: 'operator',
    needsMatch: true,
    summary: 'Set the hints of a tool',
  },
  removeOverride: {
    method: 'DELETE',
    path: '/tools/{server}/{name}/override',
    role: 'operator',
    needsMatch: true,
    summary: 'Leave the hints of a tool to its server again',
  },
  reviewTool: {
    method: 'POST',
    path: '/tools/{server}/{name}/review',
    role: 'operator',
    summary: 'Approve or reject the version of a tool that was seen',
  },
  disableTool: {
    method: 'POST',
    path: '/tools/{server}/{name}/disable',
    role: 'operator',
    summary: 'Switch a tool off',
  },
  enableTool: {
    method: 'POST',
    path: '/tools/{server}/{name}/enable',
    role: 'operator',
    summary: 'Switch a tool on again',
  },

  listReview: {
    method: 'GET',
    path: '/review',
    role: 'viewer',
    summary: 'What waits for review, of every kind',
  },
  reviewMany: {
    method: 'POST',
    path: '/review',
    role: 'operator',
    summary: 'Approve or reject many definitions',
  },

  listSessions: {
    method: 'GET',
    path: '/sessions',
    role: 'viewer',
    summary: 'Sessions and what they have touched',
  },
  getSession: {
    method: 'GET',
    path: '/sessions/{id}',
    role: 'viewer',
    summary: 'One session with its calls',
  },
  resetSession: {
    method: 'POST',
    path: '/sessions/{id}/reset',
    role: 'operator',
    summary: 'Forget what a session has touched',
  },

  listActivity: { method: 'GET', path: '/activity', role: 'viewer', summary: 'Recorded calls, newest first' },
  exportActivity: {
    method: 'GET',
    path: '/activity/export',
    role: 'viewer',
    streams: 'application/x-ndjson',
    summary: 'Recorded calls as a download',
  },
  getChain: {
    method: 'GET',
    path: '/activity/chain',
    role: 'viewer',
    summary: 'What the last verification of the log found',
  },
  verifyChain: {
    method: 'POST',
    path: '/activity/verify',
    role: 'operator',
    changesNothing: true,
    summary: 'Verify the log now',
  },
  getActivity: {
    method: 'GET',
    path: '/activity/{request}',
    role: 'viewer',
    summary: 'One call in full',
  },

  listServers: { method: 'GET', path: '/servers', role: 'viewer', summary: 'All servers and how they are' },
  listImportable: {
    method: 'GET',
    path: '/servers/importable',
    role: 'admin',
    summary: 'Servers in the configs of clients on this machine',
  },
  addServer: {
    method: 'POST',
    path: '/servers',
    role: 'admin',
    status: 201,
    summary: 'Write a server into the config',
  },
  testServer: {
    method: 'POST',
    path: '/servers/test',
    role: 'admin',
    summary: 'Start a server once and say what it has',
  },
  getServer: { method: 'GET', path: '/servers/{name}', role: 'viewer', summary: 'One server' },
  updateServer: {
    method: 'PUT',
    path: '/servers/{name}',
    role: 'admin',
    needsMatch: true,
    summary: 'Change a server in the config',
  },
  removeServer: {
    method: 'DELETE',
    path: '/servers/{name}',
    role: 'admin',
    needsMatch: true,
    summary: 'Take a server out of the config',
  },
  restartServer: {
    method: 'POST',
    path: '/servers/{name}/restart',
    role: 'admin',
    summary: 'Stop a server and start it anew',
  },
  signInToServer: {
    method: 'POST',
    path: '/servers/{name}/sign-in',
    role: 'admin',
    summary: 'Where to send a browser to sign in to a server that wants OAuth',
  },
  trustServer: {
    method: 'PUT',
    path: '/servers/{name}/trust',
    role: 'admin',
    needsMatch: true,
    summary: 'Say how far a server is trusted',
  },

  listAgents: {
    method: 'GET',
    path: '/agents',
    role: 'viewer',
    summary: 'Tokens of agents and people, without secrets',
  },
  createAgent: {
    method: 'POST',
    path: '/agents',
    role: 'admin',
    status: 201,
    summary: 'Make a token; it is shown once',
  },
  rotateAgent: {
    method: 'POST',
    path: '/agents/{name}/rotate',
    role: 'admin',
    summary: 'A new secret for a token; it is shown once',
  },
  revokeAgent: {
    method: 'POST',
    path: '/agents/{name}/revoke',
    role: 'admin',
    summary: 'End a token',
  },
  getReach: {
    method: 'GET',
    path: '/agents/{name}/reach',
    role: 'viewer',
    summary: 'What a token could do: its tools by variant',
  },

  getPolicies: {
    method: 'GET',
    path: '/policies',
    role: 'viewer',
    summary: 'Policy files, their rules, and guardrails',
  },
  checkPolicy: {
    method: 'POST',
    path: '/policies/check',
    role: 'viewer',
    changesNothing: true,
    summary: 'What is wrong with the text of a policy file',
  },
  tryPolicy: {
    method: 'POST',
    path: '/policies/try',
    role: 'viewer',
    changesNothing: true,
    summary: 'The verdict on a call that nobody makes',
  },
  replayPolicies: {
    method: 'POST',
    path: '/policies/replay',
    role: 'operator',
    changesNothing: true,
    summary: 'What policies would have done to recorded calls',
  },
  savePolicy: {
    method: 'PUT',
    path: '/policies/{path}',
    role: 'admin',
    needsMatch: true,
    summary: 'Write a policy file',
  },

  searchTools: {
    method: 'GET',
    path: '/search',
    role: 'viewer',
    summary: 'What retrieve_tools answers to an agent, explained',
  },
  events: {
    method: 'GET',
    path: '/events',
    role: 'viewer',
    streams: 'text/event-stream',
    summary: 'What happens, as it happens',
  },
  configProblems: {
    method: 'GET',
    path: '/config/problems',
    role: 'viewer',
    summary: 'What is wrong with the config file as it is now',
  },
  doctor: { method: 'GET', path: '/doctor', role: 'viewer', summary: 'What is wrong, and how to fix it' },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    role: 'viewer',
    summary: 'This API as an OpenAPI 3.1 document',
  },
} as const satisfies Readonly<Record<string, Operation>>

export type OperationName = keyof typeof OPERATIONS

/** Whether a request may carry an Idempotency-Key. Who is not known yet has nothing that could be told them again. */
export function takesKey({ method, role, changesNothing }: Operation): boolean {
  return method === 'POST' && role !== 'public' && changesNothing !== true
}
