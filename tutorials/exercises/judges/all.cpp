#include "tutorials/exercises/judges/all.h"

#include "tutorials/exercises/judges/01_1_strides.h"
#include "tutorials/exercises/judges/01_2_broadcasting.h"
#include "tutorials/exercises/judges/01_3_matmul.h"
#include "tutorials/exercises/judges/01_4_predict.h"
#include "tutorials/exercises/judges/01_5_reductions.h"
#include "tutorials/exercises/judges/02_1_multiply.h"
#include "tutorials/exercises/judges/02_2_broadcast_add.h"
#include "tutorials/exercises/judges/02_3_matmul_gradient.h"
#include "tutorials/exercises/judges/02_4_topological_order.h"
#include "tutorials/exercises/judges/02_5_softmax_gradient.h"
#include "tutorials/exercises/judges/02_6_layer_norm_gradient.h"
#include "tutorials/exercises/judges/02_7_tiny_engine.h"
#include "tutorials/exercises/judges/02_8_impostors.h"
#include "tutorials/exercises/judges/02_9_write_a_gradcheck.h"
#include "tutorials/exercises/judges/03_1_training_loop.h"
#include "tutorials/exercises/judges/03_2_cross_entropy.h"
#include "tutorials/exercises/judges/03_3_learning_rates.h"
#include "tutorials/exercises/judges/03_4_adam.h"
#include "tutorials/exercises/judges/04_1_embedding.h"
#include "tutorials/exercises/judges/04_2_sinusoidal_positions.h"
#include "tutorials/exercises/judges/05_1_stable_softmax.h"
#include "tutorials/exercises/judges/05_2_attention_by_matrices.h"
#include "tutorials/exercises/judges/05_3_predict_attention.h"
#include "tutorials/exercises/judges/05_4_online_softmax.h"
#include "tutorials/exercises/judges/06_1_additive_score.h"
#include "tutorials/exercises/judges/06_2_temperature.h"
#include "tutorials/exercises/judges/07_1_scaled_attention.h"
#include "tutorials/exercises/judges/07_2_projections.h"
#include "tutorials/exercises/judges/07_3_spread_of_scores.h"
#include "tutorials/exercises/judges/07_4_catch_impostors.h"
#include "tutorials/exercises/judges/07_5_backward_by_hand.h"
#include "tutorials/exercises/judges/08_1_causal_mask.h"
#include "tutorials/exercises/judges/08_2_attention_class.h"
#include "tutorials/exercises/judges/08_3_padding_and_causal.h"
#include "tutorials/exercises/judges/08_4_masked_impostors.h"
#include "tutorials/exercises/judges/08_5_broken_attention.h"
#include "tutorials/exercises/judges/09_1_split_and_merge.h"
#include "tutorials/exercises/judges/09_2_multi_head_attention.h"
#include "tutorials/exercises/judges/09_3_cross_attention.h"
#include "tutorials/exercises/judges/09_4_broken_heads.h"
#include "tutorials/exercises/judges/09_5_relative_position_bias.h"
#include "tutorials/exercises/judges/09_6_grouped_query_attention.h"
#include "tutorials/exercises/judges/09_7_learned_temperature.h"
#include "tutorials/exercises/judges/09_8_predict_heads.h"
#include "tutorials/exercises/judges/10_1_rotary_positions.h"
#include "tutorials/exercises/judges/10_2_previous_token_head.h"
#include "tutorials/exercises/judges/10_3_predict_positions.h"
#include "tutorials/exercises/judges/11_1_known_jobs.h"
#include "tutorials/exercises/judges/11_2_nothing_to_find.h"
#include "tutorials/exercises/judges/12_1_layer_norm.h"
#include "tutorials/exercises/judges/12_2_feed_forward.h"
#include "tutorials/exercises/judges/12_3_block.h"
#include "tutorials/exercises/judges/12_4_broken_block.h"
#include "tutorials/exercises/judges/13_1_gru_cell.h"
#include "tutorials/exercises/judges/13_2_alignment.h"
#include "tutorials/exercises/judges/14_1_shifted_targets.h"
#include "tutorials/exercises/judges/14_2_warmup_and_cosine.h"
#include "tutorials/exercises/judges/14_3_tiny_language_model.h"
#include "tutorials/exercises/judges/14_4_predict_losses.h"
#include "tutorials/exercises/judges/15_1_induction_by_hand.h"
#include "tutorials/exercises/judges/15_2_induction_impostors.h"
#include "tutorials/exercises/judges/16_1_one_vector.h"
#include "tutorials/exercises/judges/16_2_broken_classifier.h"
#include "tutorials/exercises/judges/17_1_patches.h"
#include "tutorials/exercises/judges/17_2_predict_pixels.h"
#include "tutorials/exercises/judges/18_1_beam_search.h"
#include "tutorials/exercises/judges/18_2_decoder_masks.h"
#include "tutorials/exercises/judges/19_1_sampling.h"
#include "tutorials/exercises/judges/19_2_key_value_cache.h"
#include "tutorials/exercises/judges/19_3_predict_cache.h"

namespace exercise {

std::vector<Trials> all_trials() {
    return {
        strides_trials(),
        broadcasting_trials(),
        matmul_trials(),
        predict_trials(),
        reductions_trials(),
        multiply_trials(),
        broadcast_add_trials(),
        matmul_gradient_trials(),
        topological_order_trials(),
        softmax_gradient_trials(),
        layer_norm_gradient_trials(),
        tiny_engine_trials(),
        impostors_trials(),
        own_gradcheck_trials(),
        training_loop_trials(),
        cross_entropy_trials(),
        learning_rates_trials(),
        adam_trials(),
        embedding_trials(),
        sinusoidal_positions_trials(),
        stable_softmax_trials(),
        attention_by_matrices_trials(),
        predict_attention_trials(),
        online_softmax_trials(),
        additive_score_trials(),
        temperature_trials(),
        scaled_attention_trials(),
        projections_trials(),
        spread_of_scores_trials(),
        catch_impostors_trials(),
        attention_backward_trials(),
        causal_mask_trials(),
        attention_class_trials(),
        padding_and_causal_trials(),
        masked_impostors_trials(),
        broken_attention_trials(),
        split_and_merge_trials(),
        multi_head_attention_trials(),
        cross_attention_trials(),
        broken_heads_trials(),
        relative_position_bias_trials(),
        grouped_query_attention_trials(),
        learned_temperature_trials(),
        predict_heads_trials(),
        rotary_positions_trials(),
        previous_token_trials(),
        predict_positions_trials(),
        known_jobs_trials(),
        nothing_to_find_trials(),
        layer_norm_forward_trials(),
        feed_forward_layer_trials(),
        block_trials(),
        broken_block_trials(),
        gru_cell_trials(),
        alignment_trials(),
        shifted_targets_trials(),
        warmup_and_cosine_trials(),
        tiny_language_model_trials(),
        predict_losses_trials(),
        induction_by_hand_trials(),
        induction_impostors_trials(),
        one_vector_trials(),
        broken_classifier_trials(),
        patches_trials(),
        predict_pixels_trials(),
        beams_trials(),
        decoder_masks_trials(),
        sampling_trials(),
        key_value_cache_trials(),
        predict_cache_trials(),
    };
}

}  // namespace exercise
