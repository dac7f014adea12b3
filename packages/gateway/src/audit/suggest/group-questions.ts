import type { Question } from './question.ts'

/**
 * Approved questions about one definition of a tool, from one agent or its copies, at one toolset or outside of all, and
 * for the same reasons.
 */
export interface Group {
  readonly agents: string
  readonly servers: string
  readonly tool: string
  readonly fingerprint: string
  readonly set: string | undefined
  readonly rules: readonly string[]
  readonly questions: readonly Question[]
}

/** Groups approved questions by who called which definition of a tool, and why a person was asked. */
export function groupQuestions(questions: readonly Question[]): readonly Group[] {
  const approved = questions.filter(({ answer, rules }) => answer === 'approved' && rules.length > 0)
  const agents = familyOf(approved.map(({ facts }) => facts.agent.name))
  const servers = familyOf(approved.map(({ facts }) => facts.server.name))
  const groups = new Map<string, Group & { readonly questions: Question[] }>()
  for (const question of approved) {
    const { agent, server, tool, set } = question.facts
    const about = {
      agents: agents(agent.name),
      servers: servers(server.name),
      tool: tool.name,
      fingerprint: tool.fingerprint,
      set,
      rules: question.rules,
    }
    const key = JSON.stringify(about)
    const group = groups.get(key) ?? { ...about, questions: [] }
    group.questions.push(question)
    groups.set(key, group)
  }
  return [...groups.values()]
}

const LEAST_MEMBERS = 3
const NUMBERED = /^(.*[-_.])\d+$/

/**
 * Returns a function that names a copy of something by the pattern of all its copies, if there are several: with
 * `bot-1`, `bot-2` and `bot-3`, it turns `bot-2` into `bot-*`. Other names stay as they are.
 */
function familyOf(names: readonly string[]): (name: string) => string {
  const members = new Map<string, Set<string>>()
  for (const name of names) {
    const stem = NUMBERED.exec(name)?.[1]
    if (stem !== undefined) members.set(stem, (members.get(stem) ?? new Set()).add(name))
  }
  return name => {
    const stem = NUMBERED.exec(name)?.[1]
    return stem !== undefined && (members.get(stem)?.size ?? 0) >= LEAST_MEMBERS ? `${stem}*` : name
  }
}
