import type { Database } from '@handrail/postgres'

interface Count {
  metric: 'calls' | 'runs' | 'approvals'
  label: string
  count: number
}

const help = {
  calls: 'Tool calls on record, by status',
  runs: 'Runs, by status',
  approvals: 'Approvals that wait for a decision',
}

/** Counts over all workspaces, and what the process takes. No ids, no names. */
export async function metricsText(database: Database): Promise<string> {
  const counts = await countRows(database)
  const lines: string[] = []
  for (const metric of ['calls', 'runs'] as const) {
    lines.push(`# HELP handrail_${metric} ${help[metric]}`, `# TYPE handrail_${metric} gauge`)
    for (const { label, count } of counts.filter((row) => row.metric === metric)) {
      lines.push(`handrail_${metric}{status="${label}"} ${count}`)
    }
  }
  const waiting = counts.find(({ metric }) => metric === 'approvals')?.count ?? 0
  lines.push(`# HELP handrail_approvals_waiting ${help.approvals}`, '# TYPE handrail_approvals_waiting gauge')
  lines.push(`handrail_approvals_waiting ${waiting}`)
  const { rss, heapUsed } = process.memoryUsage()
  lines.push('# HELP process_resident_memory_bytes Resident memory', '# TYPE process_resident_memory_bytes gauge')
  lines.push(`process_resident_memory_bytes ${rss}`)
  lines.push('# HELP nodejs_heap_size_used_bytes Used heap', '# TYPE nodejs_heap_size_used_bytes gauge')
  lines.push(`nodejs_heap_size_used_bytes ${heapUsed}`)
  return `${lines.join('\n')}\n`
}

async function countRows({ engine }: Database): Promise<Count[]> {
  // Row-level security shows a tenant's rows only; `*` stands for all of them, and no principal can have it.
  const session = await engine.begin(`SET LOCAL handrail.tenant TO '*'`, { readOnly: true })
  try {
    const { rows } = await session.query<Count>({
      text: `
        select 'calls' as metric, status as label, count(*)::int as count from handrail.calls group by status
        union all select 'runs', status, count(*)::int from handrail.runs group by status
        union all select 'approvals', status, count(*)::int from handrail.approvals where status = 'pending' group by status
        order by 1, 2`,
    })
    return rows
  } finally {
    await session.rollback()
  }
}
