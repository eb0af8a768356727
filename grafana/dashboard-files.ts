import { buildDashboard } from './build-dashboard.ts'
import { DASHBOARD_PLANS } from './dashboard-plans.ts'

/** The generated files: where each lies, relative to this folder, and what is in it. */
export function dashboardFiles(): readonly { readonly path: string; readonly text: string }[] {
  return DASHBOARD_PLANS.map((plan) => ({
    path: `dashboards/${plan.uid}.json`,
    text: `${JSON.stringify(buildDashboard(plan), null, 2)}\n`,
  }))
}
