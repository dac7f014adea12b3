import { type ReactNode, useState } from 'react'
import { api, type ToolsetPage } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useMay } from '../../shell/me.tsx'
import { parseSetEntry } from './parse-set-entry.ts'

/** Shows the set's entry in the config file, and lets a person edit it. Changed overrides get the person's name. */
export function ToolsetConfig({ set: { name, config, etag } }: { readonly set: ToolsetPage }): ReactNode {
  const mayEdit = useMay('admin')
  const [text, setText] = useState(() => JSON.stringify(config, undefined, 2))
  const entry = parseSetEntry(text)
  const save = useAction({
    do: () => api.updateToolset({ params: { name }, body: { config: entry ?? [] }, ifMatch: etag }),
    changes: ['toolsets'],
    done: 'Saved',
  })
  return (
    <Card
      title="Config"
      about="Changed overrides are saved with your name. Secrets are masked; leave a mask unchanged to keep its secret."
      actions={
        mayEdit && (
          <Button
            size="small"
            kind="primary"
            isDisabled={entry === undefined || save.isPending}
            onPress={() => save.mutate(undefined)}
          >
            Save
          </Button>
        )
      }
    >
      <TextField
        label="Entry in toolsets"
        hideLabel
        code
        rows={Math.min(18, text.split('\n').length + 1)}
        value={text}
        onChange={setText}
        isReadOnly={!mayEdit}
        problem={entry === undefined ? 'This is not a JSON list or object.' : undefined}
      />
    </Card>
  )
}
