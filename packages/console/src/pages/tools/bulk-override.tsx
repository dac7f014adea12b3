import { type ReactNode, useState } from 'react'
import { api, type HintSettings, type Tool } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { HintEditor } from '../../parts/hint-editor.tsx'
import { ToolName } from '../../parts/tool-name.tsx'
import { formatCount } from '../../words/format-count.ts'

interface Props {
  readonly tools: readonly Tool[]
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDone: () => void
}

const LISTED = 8

/** Sets the same hints for several tools. */
export function BulkOverride({ tools, isOpen, onClose, onDone }: Props): ReactNode {
  const [hints, setHints] = useState<HintSettings>({})
  const set = useAction({
    do: () =>
      api.overrideTools({ body: { targets: tools.map(({ server, name }) => ({ server, name })), hints } }),
    changes: ['tools', 'overview'],
    done: ({ done, refused }) =>
      `Hints set for ${formatCount(done, 'tool')}${refused.length > 0 ? `, refused for ${refused.length}` : ''}`,
    onDone: () => {
      setHints({})
      onDone()
      onClose()
    },
  })
  return (
    <Dialog
      title={`Set hints for ${formatCount(tools.length, 'tool')}`}
      isOpen={isOpen}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            isDisabled={Object.keys(hints).length === 0 || set.isPending}
            onPress={() => set.mutate(undefined)}
          >
            Set hints
          </Button>
        </>
      }
    >
      <p className="quiet">
        Hints that you set override what the servers declare, starting with the next call. Hints that are not
        set stay unchanged.
      </p>
      <HintEditor value={hints} onChange={setHints} />
      <ul className="small">
        {tools.slice(0, LISTED).map(({ id, server, name }) => (
          <li key={id}>
            <ToolName server={server} name={name} link={false} />
          </li>
        ))}
        {tools.length > LISTED && <li className="faint">and {tools.length - LISTED} more</li>}
      </ul>
    </Dialog>
  )
}
