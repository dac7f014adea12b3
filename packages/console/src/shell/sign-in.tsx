import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { api } from '../api/client.ts'
import { explainFailure } from '../api/explain-failure.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/text-field.tsx'
import { Brand } from './brand.tsx'
import { readCode } from './take-code.ts'
import './sign-in.css'

interface Props {
  /** True if the sign-in link was rejected. */
  readonly wasRefused: boolean
  readonly onSignedIn: () => void
}

export function SignIn({ wasRefused, onSignedIn }: Props): ReactNode {
  const [text, setText] = useState('')
  const signIn = useMutation({
    mutationFn: () => api.signIn({ body: { code: readCode(text) ?? text.trim() } }),
    onSuccess: onSignedIn,
  })
  const { data: hasOidc = false } = useQuery({ queryKey: ['oidc'], queryFn: findOidc, retry: false })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() !== '') signIn.mutate()
  }
  const problem = signIn.isError ? explainFailure(signIn.error) : undefined
  return (
    <main className="sign-in">
      <div className="sign-in-box">
        <Brand />
        <h1>Sign in</h1>
        {wasRefused && (
          <p className="sign-in-problem" role="alert">
            This link has already been used or has expired. Links expire after ten minutes.
          </p>
        )}
        <p className="quiet">
          Open the link that the gateway printed when it started, or create a new one on the gateway's
          machine:
        </p>
        <pre className="code-box">hintgate console</pre>
        {hasOidc && (
          <a className="sign-in-oidc" href="/oidc/start">
            Sign in with single sign-on
          </a>
        )}
        <form className="stack" onSubmit={submit}>
          <TextField
            label="Link or code"
            value={text}
            onChange={setText}
            code
            placeholder="http://127.0.0.1:4428/#code=…"
            problem={problem === undefined ? undefined : (problem.detail ?? problem.title)}
          />
          <Button kind="primary" type="submit" isDisabled={text.trim() === '' || signIn.isPending}>
            Sign in
          </Button>
        </form>
      </div>
    </main>
  )
}

/** Returns true if single sign-on is configured. */
async function findOidc(): Promise<boolean> {
  return (await fetch('/oidc/start', { method: 'HEAD' })).ok
}
