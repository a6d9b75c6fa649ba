/** Copies command lines of `embate`. */
import { copy } from '../../../shared/downloads.ts';
import { showToast } from '../../../shell/status.tsx';
import { commandsOf, sceneFile } from '../state/commands.ts';
import type { Session } from '../state/session.ts';
import type { Source } from '../workers/protocol.ts';
import { tRays } from '../i18n/translate.ts';

export async function copyCommands(session: Session, source: Source, read: (file: string) => string): Promise<void> {
  const catalog = session.catalog.value;
  const commands = commandsOf(source, catalog, read);
  if (!(await copy(commands))) showToast(() => commands);
  else if ('file' in source) showToast(() => tRays('announce.command'));
  else showToast(() => tRays('announce.commands', { file: sceneFile(source, 'ply', catalog) }));
}
