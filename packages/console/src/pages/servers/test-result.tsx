import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ServerTest } from '../../api/client.ts'
import { Untrusted } from '../../parts/untrusted.tsx'
import { formatCount } from '../../words/format-count.ts'
import { formatDuration } from '../../words/format-time.ts'

/** Shows the result of a connection test. */
export function TestResult({ result }: { readonly result: ServerTest }): ReactNode {
  const { ok, error, problems, era, protocolVersion, tools, stderr, durationMs } = result
  return (
    <div className={ok ? 'test test-good' : 'test test-bad'} role="status">
      <p className="row strong">
        {ok ? <CircleCheck size={16} aria-hidden="true" /> : <CircleAlert size={16} aria-hidden="true" />}
        {ok
          ? `Connected: ${formatCount(tools.length, 'tool')} in ${formatDuration(durationMs)}`
          : 'Connection failed'}
      </p>
      {era !== undefined && (
        <p className="small quiet">
          {era} protocol{protocolVersion === undefined ? '' : `, ${protocolVersion}`}
        </p>
      )}
      {error !== undefined && (
        <p className="small">
          <Untrusted text={error} lines max={1000} />
        </p>
      )}
      {problems.map(({ path, message, fix }) => (
        <p key={`${path} ${message}`} className="small">
          <Untrusted text={`${path}: ${message}. ${fix}`} max={400} />
        </p>
      ))}
      {tools.length > 0 && (
        <p className="small mono">
          <Untrusted text={tools.map(({ name }) => name).join(', ')} max={600} />
        </p>
      )}
      {!ok && stderr.length > 0 && (
        <pre className="code-box">
          <Untrusted text={stderr.join('\n')} lines />
        </pre>
      )}
    </div>
  )
}
