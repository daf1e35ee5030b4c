import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

/** Called where there is something to look at, with a name for it; of a part, nothing is seen of what n8n lays over it. */
export type Look = (name: string, part?: Locator) => Promise<void>;

/** Takes a picture of each look, light and dark. */
export function takePictures(page: Page, folder: string): Look {
  return async (name, part) => {
    await page.mouse.move(2, 2);
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await settled(page);
      const path = join(folder, `${name}-${theme}.png`);
      if (part) await part.screenshot({ path, style: withoutNotices + withoutControls });
      else await page.screenshot({ path, style: withoutNotices });
    }
  };
}

/** Notices go by themselves; until then they cover what is to be shown. Editors of code leave an empty frame in the corner. */
const withoutNotices = ".el-notification, [class^='ͼ']:empty { visibility: hidden }";

const withoutControls =
  "[data-test-id='execute-workflow-button'], [data-test-id='canvas-controls'], .vue-flow__panel, div:has(> [role='radiogroup']), [class*='nodeButtons'] { visibility: hidden }";

/** Waits until nothing is asked of the server and animations have come to rest. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle').catch(() => {});
  await page.waitForTimeout(700);
}
