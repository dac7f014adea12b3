import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choice.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import type { Filters } from '../../shell/use-filters.ts'
import { OUTCOME_WORDS } from '../../words/outcome-words.ts'
import '../tools/tools.css'

interface Props {
  readonly filters: Filters
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void
}

const any = { id: 'any', label: 'any' }
const plain = (ids: readonly string[]) => [any, ...ids.map(id => ({ id, label: id }))]
const VARIANTS = plain(['read', 'write', 'destructive'])
const VERDICTS = plain(['allow', 'confirm', 'deny'])
const OUTCOMES = [
  any,
  ...Object.entries(OUTCOME_WORDS)
    // A running call has no outcome, so it cannot be filtered by outcome.
    .filter(([id]) => id !== 'open')
    .map(([id, label]) => ({ id, label })),
]
const SINCE = [
  { id: 'any', label: 'all time' },
  { id: '1h', label: 'last hour' },
  { id: '24h', label: 'last 24 hours' },
  { id: '7d', label: 'last 7 days' },
]
const NAMES = [
  'agent',
  'server',
  'tool',
  'variant',
  'verdict',
  'outcome',
  'code',
  'since',
  'until',
  'text',
] as const

export function ActivityFilters({ filters, onChange }: Props): ReactNode {
  const [text, setText] = useState(filters.text ?? '')
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text !== (filters.text ?? '')) onChange({ text })
    }, 250)
    return () => clearTimeout(timer)
  }, [text, filters.text, onChange])
  const servers = useQuery({ queryKey: ['servers'], queryFn: () => api.listServers() })
  const agents = useQuery({ queryKey: ['agents'], queryFn: () => api.listAgents() })
  const choose = (name: string) => (id: string) => onChange({ [name]: id === 'any' ? undefined : id })
  const agentOptions = [
    any,
    ...withCurrent(filters.agent, agents.data?.items.map(({ kind, name }) => `${kind}:${name}`) ?? []).map(
      id => ({ id, label: id }),
    ),
  ]
  const serverOptions = plain(withCurrent(filters.server, servers.data?.items.map(({ name }) => name) ?? []))
  const isAny = NAMES.some(name => filters[name] !== undefined)
  return (
    <div className="filters">
      <SearchBox label="Find calls" placeholder="Find calls" value={text} onChange={setText} />
      <Choice
        label="Agent"
        options={agentOptions}
        value={filters.agent ?? 'any'}
        onChange={choose('agent')}
      />
      <Choice
        label="Server"
        options={serverOptions}
        value={filters.server ?? 'any'}
        onChange={choose('server')}
      />
      <Choice
        label="Variant"
        options={VARIANTS}
        value={filters.variant ?? 'any'}
        onChange={choose('variant')}
      />
      <Choice
        label="Verdict"
        options={VERDICTS}
        value={filters.verdict ?? 'any'}
        onChange={choose('verdict')}
      />
      <Choice
        label="Outcome"
        options={OUTCOMES}
        value={filters.outcome ?? 'any'}
        onChange={choose('outcome')}
      />
      <Choice label="Since" options={SINCE} value={filters.since ?? 'any'} onChange={choose('since')} />
      {isAny && (
        <Button
          kind="ghost"
          onPress={() => {
            setText('')
            onChange(Object.fromEntries(NAMES.map(name => [name, undefined])))
          }}
        >
          Clear
        </Button>
      )}
    </div>
  )
}

/** Adds the value in the address to the options if it is no longer one of them. */
function withCurrent(current: string | undefined, known: readonly string[]): readonly string[] {
  return current === undefined || known.includes(current) ? known : [current, ...known]
}
