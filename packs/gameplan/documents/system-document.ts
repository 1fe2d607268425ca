import { systemFacts, systemSections } from './describe-system.ts'
import { type GameDocument, gap, section, text } from './document.ts'
import type { PictureSystem, ProjectPicture } from './project-picture.ts'

/** The document of one system. Its markdown can be read back by import_system_from_markdown. */
export function systemDocument(picture: ProjectPicture, system: PictureSystem): GameDocument {
  return {
    type: 'system_doc',
    title: system.name,
    blocks: [],
    sections: [
      section('System ID', [text(system.systemSlug)]),
      section('Version', [text(system.version)]),
      section('Status', [text(system.status)]),
      section('MVP Criticality', [text(system.mvpCriticality)]),
      ...systemSections(system, picture.dependencies),
    ],
  }
}

/** The documents of all systems of a project, in the order to build them in. */
export function allSystemsDocument(picture: ProjectPicture): GameDocument {
  return {
    type: 'system_doc',
    title: `${picture.project.name}: Game Systems`,
    blocks: picture.systems.length > 0 ? [] : [gap('There are no game systems yet.')],
    sections: picture.systems.map((system) =>
      section(system.name, [systemFacts(system)], systemSections(system, picture.dependencies)),
    ),
  }
}
