import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { parseSetEntry } from './parse-set-entry.ts'

const EXAMPLE = '["crm:get_*", "files:read_file"]'

/** Adds a toolset to the config file. */
export function AddToolset(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="primary" icon={Plus} onPress={() => setOpen(true)}>
        Add toolset
      </Button>
      {isOpen && <AddDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function AddDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [name, setName] = useState('')
  const [text, setText] = useState(EXAMPLE)
  const config = parseSetEntry(text)
  const add = useAction({
    do: () => api.addToolset({ body: { name, config: config ?? [] } }),
    changes: ['toolsets'],
    done: 'Added',
    onDone: onClose,
  })
  return (
    <Dialog
      title="Add a toolset"
      isOpen
      onClose={onClose}
      footer={
        <Button
          kind="primary"
          isDisabled={name === '' || config === undefined || add.isPending}
          onPress={() => add.mutate(undefined)}
        >
          Add
        </Button>
      }
    >
      <div className="stack">
        <TextField label="Name" value={name} onChange={setName} />
        <TextField
          label="Tools, or an entry of toolsets"
          code
          rows={8}
          value={text}
          onChange={setText}
          problem={config === undefined ? 'This is not a JSON list or object.' : undefined}
        />
      </div>
    </Dialog>
  )
}
