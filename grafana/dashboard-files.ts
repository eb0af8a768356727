import { overviewDashboard } from './overview-dashboard.ts'

/** The generated files: where each lies, relative to this folder, and what is in it. */
export function dashboardFiles(): readonly { readonly path: string; readonly text: string }[] {
  return [
    {
      path: 'dashboards/mizani-overview.json',
      text: `${JSON.stringify(overviewDashboard(), null, 2)}\n`,
    },
  ]
}
