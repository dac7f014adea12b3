import { Check, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { HintSettings, ReviewItem } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { HintEditor } from '../../parts/hint-editor.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useMay } from '../../shell/me.tsx'
import { useReview } from './use-review.ts'

export function ReviewBar({ item }: { readonly item: ReviewItem }): ReactNode {
  const [note, setNote] = useState('')
  const [isSetting, setSetting] = useState(false)
  const [hints, setHints] = useState<HintSettings>(item.suggestion?.hints ?? {})
  const review = useReview(() => setSetting(false))
  if (!useMay('operator'))
    return (
      <p className="quiet asked-foot">
        You have read-only access. Reviewing definitions requires the operator role.
      </p>
    )
  const submit =
    (verdict: 'approve' | 'reject', more: { readonly hints?: HintSettings } = {}) =>
    (): void =>
      review.mutate({ items: [item], verdict, note: note.trim(), ...more })
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
      {item.state !== 'rejected' && (
        <Button kind="danger" icon={X} onPress={submit('reject')} isDisabled={review.isPending}>
          Reject
        </Button>
      )}
      {item.kind === 'tool' && (
        <Button onPress={() => setSetting(true)} isDisabled={review.isPending}>
          Approve with hints…
        </Button>
      )}
      <Button kind="primary" icon={Check} onPress={submit('approve')} isDisabled={review.isPending}>
        Approve
      </Button>
      <Dialog
        title="Approve with hints"
        isOpen={isSetting}
        onClose={() => setSetting(false)}
        footer={
          <>
            <Button onPress={() => setSetting(false)}>Cancel</Button>
            <Button kind="primary" onPress={submit('approve', { hints })} isDisabled={review.isPending}>
              Set hints and approve
            </Button>
          </>
        }
      >
        <p className="quiet">
          The inferred hints are filled in. Hints that you set override what the server declares.
        </p>
        <HintEditor value={hints} onChange={setHints} />
      </Dialog>
    </div>
  )
}
