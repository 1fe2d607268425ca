import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../source-files.ts'
import { outsiders } from './outsiders.ts'
import { publicNames } from './public-names.ts'

/** What each public entry exports. An entry or a name that is not here is nobody's to rely on. */
const pinned: Record<string, { values: string; types: string }> = {
  handrail: {
    values: `
      ConflictError DefinitionError ForbiddenError InvalidInputError LeaseLostError NotFoundError SetupError
      StoreError ToolError ToolRegistry anthropicTool asAgent backboardTool callDigest canonicalJson createGate
      createMemoryStore createRunEngine csvCell decideByDefault definePack defineTool entryOf guardMiddleware
      inputJsonSchemaOf
      isAsking makeSeal mayDecide mcpTool memoryDriver newId openAITool plainText repairToolCall saltedDigest startSealer
      toRecord toolFactory verifyLedger wireNames`,
    types: `
      AISDKTools AISDKToolsOptions Anchor AnthropicTool ApiCall Approval ApprovalStatus ApprovalStore Approvers
      AttemptFence AuthorizeContext BackboardTool CallEnding CallEvent CallFilter CallOutcome CallPayload
      CallRequest CallStatus CallStore CallThread ClaimOutcome ClaimRequest DecideOutcome Decision
      DecisionOutcome DecisionRequest DefinedPack Entity ErrorCode ExecuteContext Gate GateLimits GateOptions
      GuardOptions
      HandedTransaction JsonSchema JsonSchemaDefinition JsonType Lease LeaseFence LedgerEntry LedgerEvent
      LedgerProblem LedgerReport LedgerStore McpTool ObjectSchema OpenAITool OperatorReport Pack PackDefinition
      PackPhrases PackedName Page Policy PolicyContext PreviewContext PreviewWithBasis Principal Progress Quota
      RegistryAnswer RegistryCall RegistryCallOutcome Risk RoleGrant Run RunChunk RunData RunDriver RunEngine
      RunEngineOptions RunLimits RunMessage RunRef RunStatus RunStep RunStore Scope Seal SealKey Sealer
      SealerOptions SendOutcome ServiceContext ServiceTypes SettlementOutcome Signal Signals Source
      StartRunOutcome StepCall Store StoredCall Thread ThreadMessage ThreadView Tool ToolApprovalJudge
      ToolAsking ToolCallRecord ToolCaller ToolDefaults ToolDefinition ToolEffect ToolExample ToolFailure
      ToolKind ToolLimits ToolLogger ToolResult ToolSuccess TransactOutcome Verdict WireNames`,
  },
  'handrail/eval': {
    values: `
      evalGuard guardTable`,
    types: `
      AlarmScore FormatScore GuardScore`,
  },
  'handrail/offline': {
    values: `
      createOfflineModel`,
    types: `
      OfflineModelOptions PackHints`,
  },
  'handrail/testing': {
    values: `
      checkPack demoPeople runPackChecks scriptedModel startFakeOpenAIServer testPack`,
    types: `
      AnsweredTurn BenchOptions CheckReport DemoPerson FailingTurn FakeOpenAIBody FakeOpenAIRequest
      FakeOpenAIServer FakeOpenAIServerOptions FakeOpenAITurn PackTestDatabase ScriptedModel ScriptedModelTurn
      ScriptedToolCall ScriptedTurn Snapshot TestCallOptions TestPack TestPackOptions TurnFunction`,
  },
  'handrail/testing/store-contract': {
    values: `
      claimed fenceOf freshTenant newClaim sampleCall sampleEnding storeContract`,
    types: `
      StoreContractOptions StoreData`,
  },
  '@handrail/postgres': {
    values: `
      openDatabase pgBossDriver postgresStore`,
    types: `
      Database Db OpenDatabaseOptions PgBossDriverOptions PostgresStoreOptions QueryClient SchemaMigrations`,
  },
  '@handrail/postgres/pack': {
    values: `
      rows`,
    types: `
      Db QueryClient SchemaMigrations`,
  },
  '@handrail/postgres/testing': {
    values: `
      openPackDatabase openTestDatabase startTestPostgres`,
    types: `
      TestDatabase TestDatabaseOptions TestPostgres`,
  },
  '@handrail/server': {
    values: `
      createApp createContext demoDirectory devHeader devPrincipal installedPacks readConfig startServer`,
    types: `
      AppOptions ContextOptions DevDirectory DevPerson HostPrincipals ModelConfig Principals RunningServer
      ServerConfig ServerContext StartOptions`,
  },
  '@handrail/pack-gameplan': {
    values: `
      gameplan`,
    types: `
      `,
  },
}

interface Manifest {
  name: string
  exports?: Record<string, string>
  bin?: Record<string, string>
}

const manifests = ['packages', 'packs', 'examples']
  .flatMap((home) => readdirSync(join(root, home)).map((name) => `${home}/${name}`))
  .filter((folder) => existsSync(join(root, folder, 'package.json')))
  .map((folder) => {
    const manifest: Manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    return { folder, manifest }
  })
const entries = manifests.flatMap(({ folder, manifest: { name, exports = {} } }) =>
  Object.entries(exports).map(([key, file]) => ({ entry: key.replace('.', name), path: join(folder, file) })),
)

describe('the packages', () => {
  it('have the public entries that were pinned, and one command', () => {
    expect(entries.map(({ entry }) => entry).sort(), outsiders('public entries')).toEqual(Object.keys(pinned).sort())
    const commands = manifests.flatMap(({ manifest }) => Object.keys(manifest.bin ?? {}))
    expect(commands, outsiders('commands')).toEqual(['handrail'])
  })

  it.each(entries)('export what was pinned: $entry', ({ entry, path }) => {
    const { values, types } = publicNames(path)
    expect(values, outsiders(`values of ${entry}`)).toEqual(sorted(pinned[entry]?.values))
    expect(types, outsiders(`types of ${entry}`)).toEqual(sorted(pinned[entry]?.types))
  })

  it.each(entries)('export at run time what their source says: $entry', async ({ path }) => {
    const running: object = await import(join(root, path))
    expect(Object.keys(running).sort()).toEqual(publicNames(path).values)
  })
})

function sorted(names = ''): string[] {
  return names.split(/\s+/).filter(Boolean).sort()
}
