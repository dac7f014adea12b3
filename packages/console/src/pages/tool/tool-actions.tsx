import { Power, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api, type HintSettings, type ToolPage } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { HintEditor } from '../../parts/hint-editor.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { Can } from '../../shell/me.tsx'

export function ToolActions({ tool }: { readonly tool: ToolPage }): ReactNode {
  const { server, name, state } = tool
  const [isSetting, setSetting] = useState(false)
  const isOff = state === 'disabled'
  const change = useAction({
    do: () =>
      isOff ? api.enableTool({ params: { server, name } }) : api.disableTool({ params: { server, name } }),
    changes: ['tools', 'review', 'overview', 'servers'],
    done: isOff ? 'Tool enabled' : 'Tool disabled',
  })
  return (
    <Can needs="operator">
      {(state === 'pending' || state === 'changed') && (
        <a
          className="button button-primary button-normal"
          href={`#/review?item=${encodeURIComponent(`tool ${server}:${name}`)}`}
        >
          Review
        </a>
      )}
      <Button icon={SlidersHorizontal} onPress={() => setSetting(true)}>
        Set hints…
      </Button>
      <Button icon={Power} kind={isOff ? 'plain' : 'danger'} onPress={() => change.mutate(undefined)}>
        {isOff ? 'Enable' : 'Disable'}
      </Button>
      {isSetting && <OverrideDialog tool={tool} onClose={() => setSetting(false)} />}
    </Can>
  )
}

interface Props {
  readonly tool: ToolPage
  readonly onClose: () => void
}

function OverrideDialog({ tool: { server, name, override, etag }, onClose }: Props): ReactNode {
  const [hints, setHints] = useState<HintSettings>(override ?? {})
  const [note, setNote] = useState('')
  const params = { server, name }
  const isEmpty = Object.keys(hints).length === 0
  const save = useAction({
    do: () =>
      isEmpty
        ? api.removeOverride({ params, ifMatch: etag })
        : api.setOverride({
            params,
            body: { hints, ...(note.trim() === '' ? {} : { note: note.trim() }) },
            ifMatch: etag,
          }),
    changes: ['tools', 'overview'],
    done: isEmpty ? 'Overrides removed' : 'Hints set',
    onDone: onClose,
  })
  return (
    <Dialog
      title="Set hints"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            isDisabled={save.isPending || (isEmpty && override === undefined)}
            onPress={() => save.mutate(undefined)}
          >
            {isEmpty && override !== undefined ? 'Remove overrides' : 'Set hints'}
          </Button>
        </>
      }
    >
      <p className="quiet">
        Hints that you set override what the server declares, starting with the next call.
      </p>
      <HintEditor value={hints} onChange={setHints} />
      <TextField label="Note" value={note} onChange={setNote} placeholder="Reason (optional)" />
    </Dialog>
  )
}
