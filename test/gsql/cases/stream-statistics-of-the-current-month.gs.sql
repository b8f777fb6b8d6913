SELECT Sum(sample(Range(currentCycle='month'), cycleId='day', stat='sum')) FROM Stream WHERE id = 'temp';
-- [67.5]
