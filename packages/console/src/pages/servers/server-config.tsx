import { type ReactNode, useState } from 'react'
import { api } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useMay } from '../../shell/me.tsx'
import { parseEntry } from './parse-entry.ts'
import { TestResult } from './test-result.tsx'

interface Props {
  readonly server: Awaited<ReturnType<typeof api.getServer>>
}

/**
 * Shows the server's entry in the config file, and lets a person edit it. A masked value that is saved unchanged keeps
 * its secret.
 */
export function ServerConfig({ server: { name, config, etag } }: Props): ReactNode {
  const mayEdit = useMay('admin')
  const [text, setText] = useState(() => JSON.stringify(config, undefined, 2))
  const entry = parseEntry(text)
  const save = useAction({
    do: () => api.updateServer({ params: { name }, body: { config: entry ?? {} }, ifMatch: etag }),
    changes: ['servers', 'tools', 'review'],
    done: 'Saved',
  })
  const test = useAction({ do: () => api.testServer({ body: { name, config: entry ?? {} } }), changes: [] })
  return (
    <Card
      title="Config"
      about="Secrets are masked. Leave a mask unchanged to keep its secret."
      actions={
        mayEdit && (
          <div className="row">
            <Button
              size="small"
              isDisabled={entry === undefined || test.isPending}
              onPress={() => test.mutate(undefined)}
            >
              {test.isPending ? 'Testing…' : 'Test'}
            </Button>
            <Button
              size="small"
              kind="primary"
              isDisabled={entry === undefined || save.isPending}
              onPress={() => save.mutate(undefined)}
            >
              Save
            </Button>
          </div>
        )
      }
    >
      <div className="stack">
        <TextField
          label="Entry in mcpServers"
          hideLabel
          code
          rows={Math.min(18, text.split('\n').length + 1)}
          value={text}
          onChange={setText}
          isReadOnly={!mayEdit}
          problem={entry === undefined ? 'This is not a JSON object.' : undefined}
        />
        {test.data !== undefined && <TestResult result={test.data} />}
      </div>
    </Card>
  )
}
