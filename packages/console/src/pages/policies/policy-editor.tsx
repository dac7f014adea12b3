import { useQuery } from '@tanstack/react-query'
import { FlaskConical, Save } from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { api, type Policies, type Replay } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Empty } from '../../parts/state.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useMay } from '../../shell/me.tsx'
import { useFilters } from '../../shell/use-filters.ts'
import { CheckResult } from './check-result.tsx'
import { ReplayResult } from './replay-result.tsx'

type File = Policies['files'][number]

export function PolicyEditor({ policies: { files } }: { readonly policies: Policies }): ReactNode {
  const [filters, setFilters] = useFilters()
  const file = files.find(({ path }) => path === filters.file) ?? files[0]
  if (file === undefined)
    return (
      <Empty icon={Save} title="No policy files">
        To edit policies here, add a file to the config, for example{' '}
        <code>"policies": ["policies/*.yaml"]</code>.
      </Empty>
    )
  return (
    <FileEditor
      key={`${file.path} ${file.etag}`}
      file={file}
      chooser={
        files.length > 1 && (
          <Choice
            label="File"
            hideLabel
            options={files.map(({ path }) => ({ id: path, label: path }))}
            value={file.path}
            onChange={path => setFilters({ file: path })}
          />
        )
      }
    />
  )
}

interface Props {
  readonly file: File
  readonly chooser: ReactNode
}

/** Checks a policy while a person types. It can be saved only after it was replayed on recorded calls. */
function FileEditor({ file: { path, text: saved, etag }, chooser }: Props): ReactNode {
  const [text, setText] = useState(saved)
  const [replay, setReplay] = useState<{ readonly of: string; readonly result: Replay }>()
  const mayReplay = useMay('operator')
  const mayEdit = useMay('admin')
  const typed = useDeferredValue(text)
  const check = useQuery({
    queryKey: ['policies', 'check', path, typed],
    queryFn: () => api.checkPolicy({ body: { path, text: typed } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
    placeholderData: before => before,
  })
  const run = useAction({
    do: () => api.replayPolicies({ body: { files: [{ path, text }] } }),
    changes: [],
    onDone: result => setReplay({ of: text, result }),
  })
  const save = useAction({
    do: () => api.savePolicy({ params: { path }, body: { text }, ifMatch: etag }),
    changes: ['policies', 'overview'],
    done: 'Saved and active',
  })
  const problems = check.data?.problems ?? []
  const isChanged = text !== saved
  const isReplayed = replay?.of === text
  return (
    <div className="editor">
      <Card
        title={chooser === false ? path : chooser}
        actions={
          <div className="row">
            {mayReplay && (
              <Button
                size="small"
                icon={FlaskConical}
                isDisabled={problems.length > 0 || run.isPending}
                onPress={() => run.mutate(undefined)}
              >
                {run.isPending ? 'Replaying…' : 'Replay recorded calls'}
              </Button>
            )}
            {mayEdit && (
              <Button
                size="small"
                kind="primary"
                icon={Save}
                isDisabled={!isChanged || !isReplayed || problems.length > 0 || save.isPending}
                onPress={() => save.mutate(undefined)}
              >
                Save
              </Button>
            )}
          </div>
        }
      >
        <div className="stack">
          <TextField
            label={`Contents of ${path}`}
            hideLabel
            code
            rows={24}
            value={text}
            onChange={setText}
            isReadOnly={!mayEdit}
          />
          {mayEdit && (
            <p className="faint small">
              {isChanged && !isReplayed
                ? 'Replay recorded calls before you save, to see which verdicts would change.'
                : isChanged
                  ? 'Replayed. Ready to save.'
                  : 'This version is active.'}
            </p>
          )}
        </div>
      </Card>
      <div className="stack-wide">
        <CheckResult check={check.data} />
        {replay !== undefined && <ReplayResult result={replay.result} isStale={!isReplayed} />}
      </div>
    </div>
  )
}
