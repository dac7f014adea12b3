import { Check, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Approval } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choice.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useMay } from '../../shell/me.tsx'
import type { Decide } from './use-decide.ts'

type Remember = Approval['canRemember'][number]

interface Duration {
  readonly remember: Remember
  readonly for: string
  readonly label: string
}

const DURATIONS: Readonly<Record<Remember, readonly Duration[]>> = {
  arguments: [
    { remember: 'arguments', for: '1h', label: 'Same arguments, for 1 hour' },
    { remember: 'arguments', for: '1d', label: 'Same arguments, for 1 day' },
  ],
  session: [{ remember: 'session', for: '1h', label: 'This tool in this session, for 1 hour' }],
  target: [{ remember: 'target', for: '1h', label: 'Same target in this session, for 1 hour' }],
  rule: [
    { remember: 'rule', for: '1d', label: 'Everything this rule asks about, for 1 day' },
    { remember: 'rule', for: '7d', label: 'Everything this rule asks about, for 7 days' },
  ],
}

function idOf({ remember, for: duration }: Duration): string {
  return `${remember} ${duration}`
}

interface Props {
  readonly approval: Approval
  readonly decide: Decide
}

export function DecisionBar({ approval, decide }: Props): ReactNode {
  const mayDecide = useMay('approver')
  const mayGrantRule = useMay('operator')
  const [note, setNote] = useState('')
  const [duration, setDuration] = useState('once')
  if (!mayDecide)
    return (
      <p className="quiet asked-foot">
        You have read-only access. Approving and denying calls requires the approver role.
      </p>
    )
  const { canRemember } = approval
  const lasting = canRemember.filter(kind => kind !== 'rule' || mayGrantRule).flatMap(kind => DURATIONS[kind])
  const chosen = lasting.find(each => idOf(each) === duration)
  const answer = (decision: 'approve' | 'deny') => (): void =>
    decide.mutate({
      approval,
      decision,
      ...(decision === 'approve' && chosen !== undefined
        ? { remember: chosen.remember, for: chosen.for }
        : {}),
      ...(note.trim() === '' ? {} : { note: note.trim() }),
    })
  const options = [
    { id: 'once', label: 'This call only' },
    ...lasting.map(each => ({ id: idOf(each), label: each.label })),
  ]
  return (
    <div className="asked-foot asked-bar">
      <div className="grow asked-note">
        <TextField
          label="Note"
          hideLabel
          placeholder="Note for the audit log (optional)"
          value={note}
          onChange={setNote}
        />
      </div>
      {lasting.length > 0 && (
        <Choice
          label="Approval applies to"
          hideLabel
          options={options}
          value={duration}
          onChange={setDuration}
        />
      )}
      <Button kind="danger" icon={X} onPress={answer('deny')} isDisabled={decide.isPending}>
        Deny
      </Button>
      <Button
        kind="primary"
        icon={Check}
        onPress={answer('approve')}
        isDisabled={decide.isPending || approval.isCut}
      >
        Approve
      </Button>
    </div>
  )
}
