/** Names of campaigns, if the experiment manager provides them: up to MADSci 0.8.1 campaigns are only IDs. */
import { computed } from 'vue';
import { campaignApi } from '#api/managers/campaign.ts';
import { shortId } from '../../base/objectPages.ts';
import { useManagerQuery } from '../../managers/transport/poll/managerQuery.ts';
import { experimentsTexts as texts } from './texts.ts';

/** @param isRequested whether a campaign is displayed; no request is sent before */
export function useCampaigns(isRequested: () => boolean) {
  const live = useManagerQuery(campaignApi, 'getCampaigns', {
    schedule: 'campaigns',
    input: () => (isRequested() ? { number: 0 } : null),
  });
  const campaignNames = computed(
    () => new Map((live.data.value ?? []).map((campaign) => [campaign.campaign_id, campaign.campaign_name])),
  );
  return {
    /** Returns the text for a column of campaigns: the name, otherwise the end of the ID. */
    cellText: (id: string): string => campaignNames.value.get(id) || shortId(id),
    /** Returns the campaign's name, otherwise `Campaign …ABC123`. */
    getCampaignName: (id: string): string => campaignNames.value.get(id) || texts.campaign(shortId(id)),
  };
}
