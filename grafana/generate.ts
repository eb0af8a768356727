import { mkdirSync, writeFileSync } from 'node:fs'
import { dashboardFiles } from './dashboard-files.ts'

// `npm run grafana`: writes the dashboards anew. Change the panels' plans, never the JSON.
for (const { path, text } of dashboardFiles()) {
  const file = new URL(path, import.meta.url)
  mkdirSync(new URL('.', file), { recursive: true })
  writeFileSync(file, text)
  process.stdout.write(`grafana/${path}\n`)
}
