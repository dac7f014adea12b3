import { useQuery } from '@tanstack/react-query'
import { Import } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api, type Importable } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Check } from '../../parts/check.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Empty } from '../../parts/state.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { formatCount } from '../../words/format-count.ts'

const keyOf = ({ client, file, name }: Importable): string => `${client} ${file} ${name}`

export function ImportServers({ onClose }: { readonly onClose: () => void }): ReactNode {
  const importable = useQuery({ queryKey: ['servers', 'importable'], queryFn: () => api.listImportable() })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const picked = importable.data?.items.filter(item => chosen.has(keyOf(item))) ?? []
  const add = useAction({
    do: async () => {
      for (const { name, config } of picked) await api.addServer({ body: { name, config } })
      return picked.length
    },
    changes: ['servers', 'overview', 'welcome', 'tools', 'review'],
    done: count => `Imported ${formatCount(count, 'server')}`,
    onDone: onClose,
  })
  const toggle = (item: Importable, isChosen: boolean): void => {
    const next = new Set(chosen)
    if (isChosen) next.add(keyOf(item))
    else next.delete(keyOf(item))
    setChosen(next)
  }
  return (
    <Dialog
      title="Import servers"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            kind="primary"
            isDisabled={picked.length === 0 || add.isPending}
            onPress={() => add.mutate(undefined)}
          >
            Import {picked.length > 0 ? picked.length : ''}
          </Button>
        </>
      }
    >
      <p className="quiet">Servers found in client configs on the gateway's machine.</p>
      <QueryView query={importable}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={Import} title="No servers found">
              No client config with MCP servers was found in the usual places on the gateway's machine.
            </Empty>
          ) : (
            <ul className="stack">
              {items.map(item => (
                <li key={keyOf(item)}>
                  <Check
                    isDisabled={item.isKnown}
                    isSelected={chosen.has(keyOf(item))}
                    onChange={isChosen => toggle(item, isChosen)}
                  >
                    <span>
                      <Untrusted text={item.name} max={80} />{' '}
                      <span className="faint small">
                        <Untrusted text={`${item.client}, ${item.file}`} max={200} />
                      </span>
                    </span>
                    {item.isKnown && <Badge>already added</Badge>}
                  </Check>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Dialog>
  )
}
