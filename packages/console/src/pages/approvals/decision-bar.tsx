import { Check, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Approval } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choice.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useMay } from '../../shell/me.tsx'
import type { Decide } from './use-decide.ts'

type Remember = Approval['canRemember'][number]

const DURATIONS: Readonly<Record<Remember, string>> = {
  arguments: 'Same arguments, for 1 hour',
  session: 'This tool in this session, for 1 hour',
  target: 'Same target in this session, for 1 hour',
}

interface Props {
  readonly approval: Approval
  readonly decide: Decide
}

export function DecisionBar({ approval, decide }: Props): ReactNode {
  const mayDecide = useMay('approver')
  const [note, setNote] = useState('')
  const [duration, setDuration] = useState('once')
  if (!mayDecide)
    return (
      <p className="quiet asked-foot">
        You have read-only access. Approving and denying calls requires the approver role.
      </p>
    )
  const { canRemember } = approval
  const remember = canRemember.find(each => each === duration)
  const answer = (decision: 'approve' | 'deny') => (): void =>
    decide.mutate({
      approval,
      decision,
      ...(decision === 'approve' && remember !== undefined ? { remember } : {}),
      ...(note.trim() === '' ? {} : { note: note.trim() }),
    })
  const options = [
    { id: 'once', label: 'This call only' },
    ...canRemember.map(id => ({ id, label: DURATIONS[id] })),
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
      {canRemember.length > 0 && (
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
