import { defineConfig } from 'vitest/config'

if (Number(process.versions.node.split('.')[0]) < 22) {
  throw new Error(
    `the tests need Node 22 or newer and this is ${process.version}: run them with npm test, which brings Node 24`,
  )
}

export default defineConfig({
  test: {
    include: ['packages/**/*.test.ts', 'packs/**/*.test.ts', 'examples/**/*.test.ts', 'test/**/*.test.ts'],
    // Databases, servers and browsers start inside tests; the machine may have two cores.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
