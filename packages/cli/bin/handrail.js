#!/usr/bin/env node
// Plain JavaScript on purpose: an old Node must get this sentence, not a syntax error.
const major = Number(process.versions.node.split('.')[0])
if (major < 22) {
  console.error(
    `handrail needs Node 22 or newer and this is ${process.version}. Run it through npm (npm start, npx handrail): the workspace brings Node 24.`,
  )
  process.exit(1)
}
const { main } = await import('../src/main.ts')
process.exitCode = await main(process.argv.slice(2))
