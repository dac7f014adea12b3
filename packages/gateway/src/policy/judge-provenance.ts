import type { OriginFacts } from './facts/facts.ts'
import { PASS, type Step } from './step.ts'

/**
 * Asks a person before a call that an earlier result asked for, because the user might not want it. A plain read needs
 * no approval: its result can lead to other calls, but those are judged in turn.
 */
export const judgeProvenance: Step = {
  name: 'provenance',
  judge(about, { confirm }) {
    if (confirm.provenance === 'off' || about.isPlainRead === true) return PASS
    const { origin } = about
    if (origin === undefined) return PASS
    if (origin.kind === 'kind' && confirm.provenance !== 'strict') return PASS
    const { channel, remember } = confirm
    const reason = { rule: RULES[origin.kind], source: 'session', text: textOf(origin, about.now) }
    // What text in a result asks for differs from call to call, so nobody can approve all of it in advance.
    const usual = remember.filter(kind => kind !== 'rule')
    const lasting = origin.kind === 'target' ? ([...usual, 'target'] as const) : usual
    return { kind: 'ask', reasons: [reason], channel, remember: lasting, origin }
  },
}

const RULES: Readonly<Record<OriginFacts['kind'], string>> = {
  target: 'provenance.target',
  occasion: 'provenance.occasion',
  kind: 'provenance.kind',
}

/**
 * Returns the reason for asking. It does not quote the passage, because the agent also reads the reason and must not
 * follow the passage.
 */
function textOf({ kind, argument, server, tool, at }: OriginFacts, now: number): string {
  const where = `the result of ${server}:${tool} ${showAge(now - at)} ago`
  switch (kind) {
    case 'target':
      return `Text in ${where} asks for a call like this one and contains the value of \`${argument}\``
    case 'occasion':
      return `Text in ${where} asks for this call`
    case 'kind':
      return `Text in ${where} asks for a call of this kind`
  }
}

/** Shows an age as `42 s`, `3 min` or `2 h`. */
function showAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
