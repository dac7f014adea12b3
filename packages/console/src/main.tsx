import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { queryClient } from './api/queries.ts'
import { App } from './shell/app.tsx'
import { useHashPath, useHashSearch } from './shell/hash-location.ts'
import { applyTheme } from './shell/theme.ts'
import './design/tokens.css'
import './design/base.css'
import './parts/table.css'

applyTheme()

const root = document.getElementById('console')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <I18nProvider locale="en-US">
        <QueryClientProvider client={queryClient}>
          <Router hook={useHashPath} searchHook={useHashSearch}>
            <App />
          </Router>
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  )
