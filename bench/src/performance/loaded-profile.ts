// A gateway with many rules: fifty policies, ten guardrails, all results scanned.

/** One rule in ten applies to every call, two to this server, the rest to other servers. */
export function loadedPolicies(): string {
  const rules = Array.from({ length: 50 }, (_, at) => ruleAt(at))
  return `rules:\n${rules.join('')}`
}

function ruleAt(at: number): string {
  const [selector, when] = PATTERNS[at % PATTERNS.length] ?? ['', '']
  const lines = [
    `id: rule-${at}`,
    `effect: ${at % 3 === 0 ? 'deny' : 'confirm'}`,
    ...(selector === '' ? [] : [selector.replaceAll('N', String(at))]),
    ...(when === '' ? [] : [`when: '${when}'`]),
    `reason: Denied by rule ${at}.`,
  ]
  return `  - ${lines.join('\n    ')}\n`
}

const PATTERNS: readonly (readonly [selector: string, when: string])[] = [
  ['', 'has(args.amount) && args.amount > 1000'],
  ['servers: [up0]', 'session.private_data == "declared" && tool.hints.egress.value'],
  ['servers: [up0]', 'agent.name == "nobody"'],
  ['servers: [crm-N]', 'has(args.to) && !domain(args.to, "example.com")'],
  ['tools: ["mail-N:*"]', ''],
  ['agents: [bot-N]', 'tool.hints.destructive.value'],
  ['servers: [files-N]', 'has(args.path) && glob(args.path, "/etc/*")'],
  ['tools: ["db-N:drop_*"]', ''],
  ['agents: ["night-*-N"]', 'now.getHours() > 22'],
  ['servers: [web-N]', 'has(args.url) && re(args.url, "^https://[a-z]+[.]internal/")'],
]

export const LOADED_GUARDRAILS: readonly object[] = [
  { rule: 'keyword_block', field: '**', keywords: ['drop table', 'rm -rf'] },
  { rule: 'content_length', field: '**', max: 100_000 },
  { rule: 'block_pattern', field: '**', pattern: 'BEGIN [A-Z ]*PRIVATE KEY' },
  { rule: 'secret_detect', field: '**' },
  { rule: 'pii_detect', field: 'message' },
  { rule: 'max_value', field: 'amount', max: 1000 },
  { rule: 'allow_domains', field: 'to', domains: ['example.com'] },
  { rule: 'max_recipients', field: 'to', max: 10 },
  { rule: 'protect_branches', field: 'branch', branches: ['main'] },
  { rule: 'block_mass_mentions', field: 'message' },
]

export const LOADED_RESULTS = {
  schema: 'flag',
  secrets: 'redact',
  pii: 'flag',
  hidden: 'flag',
  instructions: 'flag',
}
