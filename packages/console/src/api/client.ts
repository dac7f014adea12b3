import { type AdminClient, createAdminClient } from '@hintgate/gateway/admin'

/** The client of the admin API. It uses the page's own origin and session cookie. */
export const api: AdminClient = createAdminClient()

type Answer<N extends keyof AdminClient> = Awaited<ReturnType<AdminClient[N]>>

export type Me = Answer<'me'>
export type Role = Me['role']
export type Overview = Answer<'overview'>
export type Welcome = Answer<'welcome'>
export type Approval = Answer<'getApproval'>
export type Tool = Answer<'listTools'>['items'][number]
export type ToolPage = Answer<'getTool'>
export type VersionDiff = Answer<'diffTool'>
export type ReviewItem = Answer<'listReview'>['items'][number]
export type Finding = ReviewItem['findings'][number]
export type Session = Answer<'listSessions'>['items'][number]
export type SessionPage = Answer<'getSession'>
export type Call = Answer<'listActivity'>['items'][number]
export type CallDetail = Answer<'getActivity'>
export type Chain = Answer<'getChain'>
export type Server = Answer<'listServers'>['items'][number]
export type Toolset = Answer<'listToolsets'>['items'][number]
export type ToolsetPage = Answer<'getToolset'>
export type ServerTest = Answer<'testServer'>
export type Importable = Answer<'listImportable'>['items'][number]
export type Agent = Answer<'listAgents'>['items'][number]
export type NewAgent = Answer<'createAgent'>
export type Policies = Answer<'getPolicies'>
export type PolicyRule = Policies['rules'][number]
export type Trial = Answer<'tryPolicy'>
export type SuggestionList = Answer<'listSuggestions'>
export type Suggestion = SuggestionList['suggestions'][number]
export type Replay = Answer<'replayPolicies'>
export type Found = Answer<'searchTools'>['tools'][number]

export type Hints = Tool['hints']
export type HintName = keyof Hints
export type HintValue = Hints[HintName]
export type HintSettings = Partial<Record<HintName, boolean>>
export type Variant = Tool['variant']
export type Verdict = NonNullable<Call['verdict']>
export type Reason = Approval['reasons'][number]
