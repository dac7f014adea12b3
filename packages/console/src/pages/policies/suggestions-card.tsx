import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api, type Suggestion, type SuggestionList } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Ago } from '../../parts/ago.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Fold } from '../../parts/fold.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Empty } from '../../parts/state.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { Can } from '../../shell/me.tsx'

const EXPIRIES = [
  { id: '7d', label: 'for 7 days' },
  { id: '30d', label: 'for 30 days' },
  { id: '90d', label: 'for 90 days' },
] as const

/** Shows the rules that would have removed questions which people always approve. Each is accepted by a person. */
export function SuggestionsCard(): ReactNode {
  const found = useQuery({
    queryKey: ['policies', 'suggestions'],
    queryFn: () => api.listSuggestions({ query: {} }),
  })
  return (
    <QueryView query={found} rows={6}>
      {data => (
        <>
          <Card title={`Suggested rules (${data.suggestions.length})`} about={summaryOf(data)} flush>
            {data.suggestions.length === 0 ? (
              <Empty icon={CircleCheck} title="Nothing to suggest">
                A rule is suggested when people have approved several calls that are alike, and denied none of
                them.
              </Empty>
            ) : (
              <ul className="rules divided">
                {data.suggestions.map(suggestion => (
                  <SuggestedRule key={suggestion.id} suggestion={suggestion} />
                ))}
              </ul>
            )}
          </Card>
          {data.rejected.length > 0 && <Rejected rejected={data.rejected} />}
        </>
      )}
    </QueryView>
  )
}

function summaryOf({ asked, approved, removed, hasHijacks }: SuggestionList): string {
  const replayed = hasHijacks
    ? ''
    : ' No recorded attacks were replayed, because there are none on this gateway.'
  return `In 30 days, ${asked} questions were asked and people approved ${approved}; these rules would have removed ${removed}.${replayed}`
}

function SuggestedRule({ suggestion }: { readonly suggestion: Suggestion }): ReactNode {
  const [isOpen, setIsOpen] = useState(false)
  const { id, text, questions, newlyAllows, covered, replay, rule, people } = suggestion
  return (
    <li>
      <Badge tone="good">{`−${questions}`}</Badge>
      <div className="grow stack rule-words">
        <p>
          <Untrusted text={text} max={600} />
        </p>
        <p className="quiet small">
          Approved by <Untrusted text={people.join(', ')} max={200} />. Tried against {sayReplay(replay)}:
          none would pass.
        </p>
        <p className="small">
          The rule would newly allow: <Untrusted text={newlyAllows.join('; ')} max={600} />.
        </p>
        <Fold title="Covered calls and the rule">
          <ul className="lines">
            {covered.map(call => (
              <li key={call.id} className="line">
                <span className="grow line-text">
                  <Untrusted text={call.action} max={200} />
                </span>
                <span className="faint small">
                  <Ago at={call.at} />
                </span>
              </li>
            ))}
          </ul>
          <pre className="cel">
            <Untrusted text={rule} />
          </pre>
        </Fold>
      </div>
      <Can needs="operator">
        <Button size="small" onPress={() => setIsOpen(true)}>
          Accept
        </Button>
        <AcceptDialog id={id} isOpen={isOpen} onClose={() => setIsOpen(false)} />
      </Can>
    </li>
  )
}

function sayReplay({ hijackedRuns, deniedCalls, probes }: Suggestion['replay']): string {
  const recorded = hijackedRuns === undefined ? '' : `${hijackedRuns} recorded attacks, `
  return `${recorded}${deniedCalls} denied calls and ${probes} made-up attacks`
}

interface AcceptProps {
  readonly id: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

function AcceptDialog({ id, isOpen, onClose }: AcceptProps): ReactNode {
  const [expiresIn, setExpiresIn] = useState('30d')
  const accept = useAction({
    do: () => api.acceptSuggestion({ params: { id }, body: { expiresIn } }),
    changes: ['policies', 'approvals'],
    done: ({ path }) => `Accepted; the rule is in ${path}`,
    onDone: onClose,
  })
  return (
    <Dialog
      title="Accept this rule?"
      isOpen={isOpen}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" isDisabled={accept.isPending} onPress={() => accept.mutate(undefined)}>
            Accept rule
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>
          The rule is written to a policy file with your name. People are then no longer asked about such
          calls. Pending and lasting approvals end, because the rules change.
        </p>
        <Choice label="It applies" options={EXPIRIES} value={expiresIn} onChange={setExpiresIn} />
      </div>
    </Dialog>
  )
}

function Rejected({ rejected }: Pick<SuggestionList, 'rejected'>): ReactNode {
  return (
    <Card title="Not suggested" flush>
      <ul className="lines divided">
        {rejected.map(({ text, questions, why }) => (
          <li key={`${text} ${why} ${questions}`} className="line">
            <span className="grow line-text">
              <Untrusted text={text} max={200} />
              <span className="quiet small"> {why}</span>
            </span>
            <span className="faint small">{questions} questions</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
